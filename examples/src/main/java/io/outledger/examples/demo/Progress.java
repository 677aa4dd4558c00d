// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.chaos.run.Screen;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What the progress line says. It has connections of its own, so that it holds nobody up. */
final class Progress implements AutoCloseable {

  private static final long EVERY_MS = 250;

  private final CountDownLatch ending = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Database orders;
  private final Database inventory;
  private final ShopClient client;
  private final int wanted;
  private final DemoKills.Story story;
  private long published;
  private long reserved;

  Progress(DemoDatabase server, ShopClient client, int wanted, DemoKills.Story story) {
    this.orders = new Database(server, "orders");
    this.inventory = new Database(server, "inventory");
    this.client = client;
    this.wanted = wanted;
    this.story = story;
  }

  /** Shows itself on the screen from now on. */
  void start(Screen screen) {
    Thread thread = new Thread(() -> show(screen), "progress");
    thread.setDaemon(true);
    thread.start();
  }

  /** Ends that, once what is shown is gone. */
  void end() throws InterruptedException {
    ending.countDown();
    ended.await();
  }

  private void show(Screen screen) {
    try {
      while (!ending.await(EVERY_MS, TimeUnit.MILLISECONDS)) {
        screen.progress(this::line);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      screen.endProgress();
      ended.countDown();
    }
  }

  private String line() {
    look();
    return "  %s  %,d of %,d orders answered · %,d published · %,d reserved"
        .formatted(Words.clock(story.elapsedMs()), client.answered(), wanted, published, reserved);
  }

  @Override
  public void close() throws SQLException {
    orders.close();
    inventory.close();
  }

  private void look() {
    try {
      published =
          orders.number(
              """
              SELECT (SELECT count(*) FROM outledger_message)
                   - (SELECT count(*) FROM outledger_pending)
              """);
      reserved = inventory.number("SELECT count(*) FROM reservation");
    } catch (SQLException e) {
      return; // the database is down, and the figures stand still
    }
  }
}
