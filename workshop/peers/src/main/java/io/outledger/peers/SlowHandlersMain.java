// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * How many messages others carry out in a second where each takes 20 ms, as those that call a
 * service do; what Outledger does is told by the benchmark of its handlers.
 */
final class SlowHandlersMain {

  private static final List<Entrant> WHO =
      List.of(Entrant.GRUELBOX, Entrant.GRUELBOX_BEST, Entrant.NAMASTACK, Entrant.NAMASTACK_BEST);
  private static final long EACH_MILLIS = 20;
  private static final String MESSAGES = "10000";
  private static final int SECONDS = 6;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final CountDownLatch hurry = new CountDownLatch(1);
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger now = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  private SlowHandlersMain() {}

  /** What one of them did, and on how many threads at a time. */
  record Carried(double perSecond, int threads) {

    /** What part of it threads that did nothing else could do. */
    double ofPossible() {
      return perSecond * EACH_MILLIS / 1e3 / threads;
    }

    String json(Entrant entrant) {
      return String.format(
          Locale.ROOT,
          "\"%s\": {\"perSecond\": %.1f, \"threads\": %d, \"ofPossible\": %.3f}",
          entrant.id(),
          perSecond,
          threads,
          ofPossible());
    }
  }

  /**
   * Measures each and prints a line for it.
   *
   * @param args words such as {@code messages=10000}: {@code messages}, and {@code json}, a file
   */
  public static void main(String[] args) throws Exception {
    Map<String, String> said =
        Arrays.stream(args)
            .map(word -> word.split("=", 2))
            .filter(word -> !word[1].isEmpty())
            .collect(Collectors.toMap(word -> word[0], word -> word[1]));
    int messages = Integer.parseInt(said.getOrDefault("messages", MESSAGES));
    List<String> json = new ArrayList<>();
    try (Postgres server = Postgres.start()) {
      for (Entrant entrant : WHO) {
        Carried carried = measure(server, entrant, messages, SECONDS);
        json.add(carried.json(entrant));
        System.out.printf(
            Locale.ROOT,
            "%s: %,.0f messages a second on %d threads, %.2f of what these could do%n",
            entrant.id(),
            carried.perSecond(),
            carried.threads(),
            carried.ofPossible());
      }
    }
    if (said.containsKey("json")) {
      Files.writeString(Path.of(said.get("json")), "{\n  " + String.join(",\n  ", json) + "\n}\n");
    }
    System.exit(0); // whatever a library left running ends here
  }

  static Carried measure(Postgres server, Entrant entrant, int messages, int seconds)
      throws Exception {
    String jdbcUrl = server.jdbcUrl(server.createDatabase());
    Backlog.write(entrant.factory(), jdbcUrl, messages);
    SlowHandlersMain slow = new SlowHandlersMain();
    Site site = Site.forPublishing(jdbcUrl, number -> slow.receive());
    try (Application application = entrant.factory().open(site)) {
      application.start();
      Await.until("some are carried out", PATIENCE, () -> slow.done.get() >= messages / 20);
      return slow.look(seconds);
    }
  }

  private Carried look(int seconds) throws InterruptedException {
    int before = done.get();
    long start = System.nanoTime();
    boolean cut = hurry.await(seconds, TimeUnit.SECONDS);
    double perSecond = (done.get() - before) * 1e9 / (System.nanoTime() - start);
    hurry.countDown();
    if (cut) {
      throw new IllegalStateException("somebody was in a hurry too early");
    }
    return new Carried(perSecond, most.get());
  }

  private void receive() {
    most.accumulateAndGet(now.incrementAndGet(), Math::max);
    try {
      if (!hurry.await(EACH_MILLIS, TimeUnit.MILLISECONDS)) {
        done.incrementAndGet();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      now.decrementAndGet();
    }
  }
}
