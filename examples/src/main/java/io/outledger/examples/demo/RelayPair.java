// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.examples.RelayVoice;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The two relays of the order service's ledger, as the one of them that publishes. What it has in
 * flight are the messages that it has not settled yet. Each relay says itself when it takes over.
 */
final class RelayPair implements Role {

  private final List<ServiceProcess> relays;
  private final Ledger ledger;
  private final Ownership ownership;
  private @Nullable ServiceProcess killed;

  /** Who publishes now; told by the relays' output, so on other threads. */
  static final class Ownership {
    private volatile String owner = "";

    void heard(String relay, String line) {
      if (line.equals(RelayVoice.PUBLISHING)) {
        owner = relay;
      } else if (line.equals(RelayVoice.STANDING_BY) && owner.equals(relay)) {
        owner = "";
      }
    }
  }

  RelayPair(List<ServiceProcess> relays, Ledger ledger, Ownership ownership) {
    this.relays = relays;
    this.ledger = ledger;
    this.ownership = ownership;
  }

  @Override
  public String name() {
    return publishing().name();
  }

  @Override
  public long pid() {
    return publishing().pid();
  }

  @Override
  public long inFlight() throws SQLException {
    return ownership.owner.isEmpty() ? 0 : ledger.pending();
  }

  @Override
  public String inFlightText(long count) {
    return Words.count(count, "message") + " on the way";
  }

  @Override
  public List<Ledger> interrupts() {
    return List.of(ledger);
  }

  @Override
  public void kill() {
    ServiceProcess target = publishing();
    ownership.owner = "";
    target.kill();
    killed = target;
  }

  @Override
  public void restart() {
    if (killed != null) {
      killed.start();
    }
  }

  private ServiceProcess publishing() {
    return relays.stream()
        .filter(relay -> relay.name().equals(ownership.owner))
        .findFirst()
        .orElse(relays.get(0));
  }
}
