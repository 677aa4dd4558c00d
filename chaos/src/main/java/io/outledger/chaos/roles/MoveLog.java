// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.roles;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;

/**
 * The moves that an operator was told are done: a line of begin, end, position and a full stop.
 *
 * @param file where they are taken down
 */
public record MoveLog(Path file) {

  /** Stands for the position of a move by time. */
  public static final long SOMEWHERE = 0;

  /**
   * A move that was done.
   *
   * @param beganMs when it was asked for, by the clock that all processes here share
   * @param endedMs when the answer was there
   * @param position the first that is to be delivered again, or {@value #SOMEWHERE}
   */
  public record Move(long beganMs, long endedMs, long position) {

    static Move begin(long position) {
      return new Move(Clock.systemUTC().millis(), 0, position);
    }

    Move end() {
      return new Move(beganMs, Clock.systemUTC().millis(), position);
    }
  }

  void write(Move move) {
    try {
      Files.writeString(
          file,
          "%n%d %d %d .".formatted(move.beganMs(), move.endedMs(), move.position()),
          CREATE,
          APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads all whole lines; none where there is no file. */
  public List<Move> read() {
    if (!Files.exists(file)) {
      return List.of();
    }
    try (Stream<String> lines = Files.lines(file)) {
      return lines.filter(line -> line.endsWith(" .")).map(MoveLog::move).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Move move(String line) {
    String[] words = line.split(" ", -1);
    return new Move(Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]));
  }
}
