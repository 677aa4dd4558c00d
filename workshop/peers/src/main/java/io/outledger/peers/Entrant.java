// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Who takes part, in the order in which the tables tell of them. */
enum Entrant {
  BUSINESS_ALONE(Product.NOBODY, "-", 0, BusinessAlone::open),
  BARE_READ(Product.OUTLEDGER, "-", Entrant.MILLION_MESSAGES, BareRead::open),
  OUTLEDGER(Product.OUTLEDGER, "default", 100_000, OutledgerOutbox::open),
  OUTLEDGER_MILLION(Product.OUTLEDGER, "default", Entrant.MILLION_MESSAGES, OutledgerOutbox::open),
  OUTLEDGER_JOINED(Product.OUTLEDGER, "JDBC", 0, OutledgerOutbox::openJoined),
  TUTORIAL(Product.TUTORIAL, "pages of 100", 100_000, TutorialRelay.Settings.EVERYWHERE),
  TUTORIAL_BATCHED(
      Product.TUTORIAL, "pages of 1,000", Entrant.MILLION_MESSAGES, TutorialRelay.Settings.BATCHED),
  GRUELBOX(Product.GRUELBOX, "default", 100_000, GruelboxOutbox.Settings.DEFAULT),
  GRUELBOX_BEST(Product.GRUELBOX, "best", 100_000, GruelboxOutbox.Settings.BEST),
  NAMASTACK(Product.NAMASTACK, "default", 100_000, NamastackOutbox.DEFAULT),
  NAMASTACK_BEST(Product.NAMASTACK, "best", 100_000, NamastackOutbox.BEST),
  MODULITH(Product.MODULITH, "default", 100_000, ModulithRegistry.DEFAULT),
  MODULITH_BEST(Product.MODULITH, "best", 100_000, ModulithRegistry.BEST),
  DB_SCHEDULER(Product.DB_SCHEDULER, "default", 100_000, DbSchedulerTasks.Settings.DEFAULT),
  DB_SCHEDULER_BEST(Product.DB_SCHEDULER, "best", 100_000, DbSchedulerTasks.Settings.BEST),
  DEBEZIUM(Product.DEBEZIUM, "default", 100_000, DebeziumEngineOutbox.Settings.DEFAULT),
  DEBEZIUM_BEST(Product.DEBEZIUM, "best", 100_000, DebeziumEngineOutbox.Settings.BEST);

  /** What waits for those that can publish it in seconds. */
  private static final int MILLION_MESSAGES = 1_000_000;

  /** Those that publish a backlog. */
  static final Set<Entrant> DRAINING =
      Collections.unmodifiableSet(
          EnumSet.complementOf(EnumSet.of(BUSINESS_ALONE, OUTLEDGER_JOINED)));

  /** Those that publish what comes. */
  static final Set<Entrant> TIMED =
      Collections.unmodifiableSet(
          EnumSet.complementOf(
              EnumSet.of(BUSINESS_ALONE, BARE_READ, OUTLEDGER_MILLION, OUTLEDGER_JOINED)));

  /** Those of them that publish what another process has committed, while that goes on. */
  static final Set<Entrant> TIMED_APART =
      Collections.unmodifiableSet(
          EnumSet.complementOf(
              EnumSet.of(
                  BUSINESS_ALONE,
                  BARE_READ,
                  OUTLEDGER_MILLION,
                  OUTLEDGER_JOINED,
                  GRUELBOX,
                  MODULITH,
                  MODULITH_BEST)));

  /** One of each that publishes, at its best. */
  static final Set<Entrant> AGEING =
      Collections.unmodifiableSet(
          EnumSet.of(
              OUTLEDGER,
              TUTORIAL_BATCHED,
              GRUELBOX_BEST,
              NAMASTACK_BEST,
              MODULITH_BEST,
              DB_SCHEDULER_BEST,
              DEBEZIUM_BEST));

  /** One of each that writes in a way of its own. */
  static final Set<Entrant> WRITING =
      Collections.unmodifiableSet(
          EnumSet.of(
              BUSINESS_ALONE,
              OUTLEDGER,
              OUTLEDGER_JOINED,
              TUTORIAL,
              GRUELBOX,
              NAMASTACK,
              MODULITH,
              DB_SCHEDULER,
              DEBEZIUM));

  private final Product product;
  private final String settings;
  private final int messages;

  // Settings are records of values that nobody changes.
  @SuppressWarnings("ImmutableEnumChecker")
  private final ApplicationFactory factory;

  Entrant(Product product, String settings, int messages, ApplicationFactory factory) {
    this.product = product;
    this.settings = settings;
    this.messages = messages;
    this.factory = factory;
  }

  /** Returns the one of a name such as gruelbox-best. */
  static Entrant of(String id) {
    return Arrays.stream(values())
        .filter(entrant -> entrant.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "nobody is called '%s'; there are %s".formatted(id, ids())));
  }

  private static String ids() {
    return Arrays.stream(values()).map(Entrant::id).collect(Collectors.joining(", "));
  }

  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  Product product() {
    return product;
  }

  /** Returns Outledger with as large a backlog, to hold it against. */
  Entrant likeIt() {
    return messages == MILLION_MESSAGES ? OUTLEDGER_MILLION : OUTLEDGER;
  }

  String title() {
    return this == BARE_READ ? "bare paged read" : product.title();
  }

  String settings() {
    return settings;
  }

  /** Returns how many messages wait for it in a whole run. */
  int messages() {
    return messages;
  }

  /**
   * Whether all that may wait for it does, at every turn: for who is fast once it has begun, and
   * for who publishes the more at a poll the more waits for a key.
   */
  boolean takesAll() {
    return switch (product) {
      case NOBODY, OUTLEDGER, TUTORIAL, DEBEZIUM -> true;
      default -> this == NAMASTACK;
    };
  }

  ApplicationFactory factory() {
    return factory;
  }
}
