// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/**
 * A second JVM for each entrant, in which its application writes while the first one publishes.
 * They stay until this is closed, so that what one has compiled serves its next turn too.
 */
final class WriterProcesses implements AutoCloseable {

  private final int seconds;
  private final Map<Entrant, EntrantProcess> writers = new EnumMap<>(Entrant.class);

  /** Makes it, for turns that are timed for so long at each rate. */
  WriterProcesses(int seconds) {
    this.seconds = seconds;
  }

  /** Has the writer of this entrant time what the given process of it publishes. */
  Reply time(EntrantProcess publisher, String jdbcUrl) throws IOException {
    EntrantProcess writer = writer(publisher.entrant());
    Path arrivals = TimedApplication.newArrivals(seconds);
    try {
      // It comes first, and so makes what it needs before it begins.
      publisher.tell("publish", jdbcUrl, arrivals);
      Reply reply = writer.tell("time-writing", jdbcUrl, seconds, arrivals);
      publisher.tell("rest");
      return reply;
    } finally {
      Files.delete(arrivals);
    }
  }

  private EntrantProcess writer(Entrant entrant) throws IOException {
    EntrantProcess writer = writers.get(entrant);
    if (writer == null) {
      writer = EntrantProcess.start(entrant);
      writers.put(entrant, writer);
    }
    return writer;
  }

  @Override
  public void close() {
    writers.values().forEach(EntrantProcess::close);
  }
}
