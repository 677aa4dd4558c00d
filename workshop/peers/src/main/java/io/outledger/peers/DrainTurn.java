// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import io.outledger.servers.Await;
import java.time.Duration;
import java.util.function.Function;

/**
 * One application drains what waits in its database, for so long at most. The clock begins with the
 * first message that it publishes, since frameworks take their time to start.
 */
final class DrainTurn {

  private static final long FIRST_MILLIS_MAX = 60_000;
  private static final Duration SETTLING_MAX = Duration.ofSeconds(60);

  private final Entrant entrant;
  private final long serverPid;
  private volatile Moment first = new Moment(0, new ProcessorTime(0, 0));

  DrainTurn(Entrant entrant, long serverPid) {
    this.entrant = entrant;
    this.serverPid = serverPid;
  }

  /** A point in time, and what the processes had taken until then. */
  private record Moment(long nanos, ProcessorTime processor) {}

  Drained run(String jdbcUrl, int waiting, long millisMax) throws Exception {
    return run(receiver -> Site.forPublishing(jdbcUrl, receiver), waiting, millisMax);
  }

  /** Has it published at a site of the caller's choice. */
  Drained run(Function<Receiver, Site> site, int waiting, long millisMax) throws Exception {
    Tally tally = new Tally(waiting, () -> first = now());
    try (Application application = entrant.factory().open(site.apply(tally))) {
      long told = System.nanoTime();
      application.start();
      if (!tally.awaitAny(FIRST_MILLIS_MAX)) {
        throw new IllegalStateException(entrant.id() + " publishes nothing");
      }
      if (tally.awaitAll(millisMax)) {
        Await.until("what was published is settled", SETTLING_MAX, application::isSettled);
      }
      if (tally.hasLost()) {
        throw new IllegalStateException(entrant.id() + " publishes what was not committed");
      }
      int published = tally.published();
      Moment end = now();
      return new Drained(
          waiting,
          published,
          (first.nanos() - told) / 1e9,
          (end.nanos() - first.nanos()) / 1e9,
          end.processor().since(first.processor()),
          new Drained.Flaws(tally.reordered(), tally.duplicates()));
    }
  }

  private Moment now() {
    ProcessorTime processor = ProcessorTime.now(serverPid);
    return new Moment(System.nanoTime(), processor);
  }
}
