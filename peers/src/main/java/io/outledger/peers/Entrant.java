// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.util.Arrays;
import java.util.Locale;

/** Who takes part, in the order in which the tables tell of them. */
enum Entrant {
  BARE_READ(Peer.OUTLEDGER, "-", 1_000_000, BareRead::open),
  OUTLEDGER(Peer.OUTLEDGER, "default", 1_000_000, OutledgerOutbox::open),
  TUTORIAL(Peer.TUTORIAL, "page of 100", 100_000, TutorialRelay.Settings.EVERYWHERE),
  TUTORIAL_BATCHED(
      Peer.TUTORIAL, "page of 1,000, batched", 100_000, TutorialRelay.Settings.BATCHED),
  GRUELBOX(Peer.GRUELBOX, "default", 100_000, GruelboxOutbox.Settings.DEFAULT),
  GRUELBOX_BEST(Peer.GRUELBOX, "best", 100_000, GruelboxOutbox.Settings.BEST),
  NAMASTACK(Peer.NAMASTACK, "default", 100_000, NamastackOutbox.Settings.DEFAULT),
  NAMASTACK_BEST(Peer.NAMASTACK, "best", 100_000, NamastackOutbox.Settings.BEST),
  MODULITH(Peer.MODULITH, "default", 100_000, ModulithRegistry.Settings.DEFAULT),
  MODULITH_BEST(Peer.MODULITH, "best", 100_000, ModulithRegistry.Settings.BEST),
  DB_SCHEDULER(Peer.DB_SCHEDULER, "default", 100_000, DbSchedulerTasks.Settings.DEFAULT),
  DB_SCHEDULER_BEST(Peer.DB_SCHEDULER, "best", 100_000, DbSchedulerTasks.Settings.BEST),
  DEBEZIUM(Peer.DEBEZIUM, "default", 100_000, DebeziumEngineOutbox.Settings.DEFAULT),
  DEBEZIUM_BEST(Peer.DEBEZIUM, "best", 100_000, DebeziumEngineOutbox.Settings.BEST);

  private final Peer peer;
  private final String settings;
  private final int messages;

  // Settings are records of values that nobody changes.
  @SuppressWarnings("ImmutableEnumChecker")
  private final Contender contender;

  Entrant(Peer peer, String settings, int messages, Contender contender) {
    this.peer = peer;
    this.settings = settings;
    this.messages = messages;
    this.contender = contender;
  }

  /** Returns the one of a name such as gruelbox-best. */
  static Entrant of(String id) {
    return Arrays.stream(values())
        .filter(entrant -> entrant.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("nobody is called " + id));
  }

  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  Peer peer() {
    return peer;
  }

  String title() {
    return this == BARE_READ ? "bare paged read" : peer.title();
  }

  String settings() {
    return settings;
  }

  /** Returns how many messages wait for it in a whole run. */
  int messages() {
    return messages;
  }

  Contender contender() {
    return contender;
  }
}
