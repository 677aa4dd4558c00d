// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** An application whose messages are timed at each rate, one after the other. */
final class TimedApplication {

  private final ApplicationFactory factory;
  private final String jdbcUrl;

  TimedApplication(ApplicationFactory factory, String jdbcUrl) {
    this.factory = factory;
    this.jdbcUrl = jdbcUrl;
  }

  /** Makes the file of arrivals for one that is timed for so long at each rate. */
  static Path newArrivals(int seconds) throws IOException {
    return ArrivalLog.newFile(
        LatencyTable.RATES.stream().mapToInt(rate -> LatencyTurn.numbers(rate, seconds)).sum());
  }

  /** Writes and publishes in this process. */
  Reply together(int seconds) throws Exception {
    Path file = newArrivals(seconds);
    ArrivalLog arrivals = ArrivalLog.in(file);
    Files.delete(file);
    Site site = Site.forPublishing(jdbcUrl, arrivals).watchedBy(CommitClock::watch);
    try (Application application = factory.open(site)) {
      application.start();
      return time(application, site, arrivals, seconds);
    }
  }

  /** Writes what another process publishes, which notes the arrivals in a file. */
  Reply writing(int seconds, Path arrivals) throws Exception {
    Site site = Site.forWriting(jdbcUrl).watchedBy(CommitClock::watch);
    try (Application application = factory.open(site)) {
      return time(application, site, ArrivalLog.in(arrivals), seconds);
    }
  }

  /** Publishes what another process writes, until it is closed by the caller. */
  Application publishing(Path arrivals) throws Exception {
    Application application = factory.open(Site.forPublishing(jdbcUrl, ArrivalLog.in(arrivals)));
    application.start();
    return application;
  }

  private static Reply time(Application application, Site site, ArrivalLog arrivals, int seconds)
      throws Exception {
    Business business = PlacedOrder.in(site.dataSource());
    Reply reply = new Reply();
    int first = 0;
    for (int rate : LatencyTable.RATES) {
      LatencyTurn turn = new LatencyTurn(rate, first, seconds, arrivals);
      turn.run(application, business).addTo(reply, rate);
      first += LatencyTurn.numbers(rate, seconds);
    }
    return reply;
  }
}
