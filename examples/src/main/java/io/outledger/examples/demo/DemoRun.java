// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.chaos.run.Screen;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** One run: orders are placed while processes are killed, then everything is counted again. */
final class DemoRun implements DemoKills.Story, AutoCloseable {

  private final DemoOptions options;
  private final Screen screen;
  private final DemoShop shop;
  private final long start;
  private final ShopClient client;
  private final DemoKills kills;
  private final Customers customers;
  private final Progress progress;

  /**
   * Prepares a run.
   *
   * @param start when the demo began, by the monotonic clock
   */
  DemoRun(DemoShop shop, DemoOptions options, Screen screen, long start) {
    this.start = start;
    this.shop = shop;
    this.options = options;
    this.screen = screen;
    this.client = new ShopClient(shop.ordersUri(), options.seed());
    SplittableRandom random = new SplittableRandom(options.seed());
    this.kills =
        new DemoKills(roles(), options.kills(), random.split(), DemoKills.Pace.NORMAL, this);
    this.customers = new Customers(client, options.orders(), random.split(), kills::secondsLeft);
    this.progress = new Progress(shop.database(), client, options.orders(), this);
  }

  /** Runs it all. */
  Result run() throws SQLException, InterruptedException {
    screen.line("");
    screen.line("Customers place orders over HTTP. Whoever gets no answer asks again.");
    if (options.kills() > 0) {
      screen.line("Meanwhile each process in turn is killed with kill -9, while it works.");
    }
    screen.line("");
    progress.start(screen);
    try {
      customers.start();
      kills.run();
      boolean allAnswered = customers.await();
      say(
          allAnswered
              ? "all orders are answered; waiting until everything has arrived"
              : "orders have been without an answer for too long; counting what is there");
      new Settling(shop.orders(), shop.inventory()).await();
    } finally {
      progress.end();
    }
    Count count = new Count(shop.orders(), shop.inventory(), shop.broker());
    return count.result(options, client, kills.done(), elapsedMs());
  }

  @Override
  public long elapsedMs() {
    return (System.nanoTime() - start) / 1_000_000;
  }

  @Override
  public void killed(Role role, Kill kill) {
    say(
        "kill -9 %s (pid %d) with %s"
            .formatted(kill.role(), kill.pid(), role.inFlightText(kill.inFlight())));
  }

  @Override
  public void back(Kill kill) {
    say(
        "        %s is back after %.1f s"
            .formatted(kill.role(), (elapsedMs() - kill.atMs()) / 1e3));
  }

  @Override
  public void idle(Role role) {
    say(role.name() + " had nothing in flight for too long, and was not killed");
  }

  @Override
  public void close() throws SQLException {
    customers.close();
    progress.close();
  }

  private void say(String text) {
    screen.line("  " + Words.clock(elapsedMs()) + "  " + text);
  }

  private List<Role> roles() {
    List<Role> roles = new ArrayList<>(shop.services().roles(client));
    roles.addAll(shop.database().roles(shop.orders(), shop.inventory()));
    shop.broker()
        .killable()
        .ifPresent(server -> roles.add(new BrokerRole(server, shop.orders(), shop.inventory())));
    return roles;
  }
}
