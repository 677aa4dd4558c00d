// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.roles;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * A handler that takes down from when to when it had a batch in its hands: a line of begin and end
 * in microseconds, the ids, and a full stop.
 */
final class WitnessedBatchHandler implements BatchHandler {

  private final BatchHandler handler;
  private final Path batches;

  WitnessedBatchHandler(BatchHandler handler, Path batches) {
    this.handler = handler;
    this.batches = batches;
  }

  @Override
  public void handle(List<Received> batch) throws Exception {
    long begin = micros();
    handler.handle(batch);
    StringBuilder line = new StringBuilder().append('\n').append(begin).append(' ');
    line.append(micros());
    batch.forEach(received -> line.append(' ').append(received.id()));
    write(line.append(" .").toString());
  }

  private void write(String line) {
    try {
      Files.writeString(batches, line, CREATE, APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long micros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }
}
