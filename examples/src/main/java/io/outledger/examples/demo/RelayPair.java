// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.examples.relay.RelayService;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The two relays of the order service's ledger, as the one of them that publishes. What it has in
 * flight are the messages that it has not settled yet. Each relay says itself when it takes over.
 */
final class RelayPair implements OrderPublisher {

  private final List<ServiceProcess> relays;
  private final Ledger ledger;
  private @Nullable ServiceProcess killed;

  RelayPair(Wiring wiring) {
    this.relays = List.of(relay(wiring, "relay-1"), relay(wiring, "relay-2"));
    this.ledger = wiring.orders();
  }

  private static ServiceProcess relay(Wiring wiring, String name) {
    return wiring.process(name, RelayService.class, wiring.settings(name, "orders", 3));
  }

  @Override
  public void start(DemoShop.Listener listener) {
    long start = System.nanoTime();
    relays.forEach(ServiceProcess::start);
    listener.started(
        "relay-1, relay-2", "one publishes, one stands by; lease 2 s", DemoShop.ms(start));
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
    return ledger.ownership().owner().isEmpty() ? 0 : ledger.pending();
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
    ledger.ownership().ended();
    target.kill();
    killed = target;
  }

  @Override
  public void restart() {
    if (killed != null) {
      killed.start();
    }
  }

  @Override
  public void stop() {
    relays.forEach(ServiceProcess::stop);
  }

  private ServiceProcess publishing() {
    return relays.stream()
        .filter(relay -> relay.name().equals(ledger.ownership().owner()))
        .findFirst()
        .orElse(relays.get(0));
  }
}
