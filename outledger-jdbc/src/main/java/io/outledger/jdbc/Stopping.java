// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.jdbc.RequestWork.SoFar;
import io.outledger.jdbc.spi.RequestRow;
import io.outledger.jdbc.spi.RequestStep;
import io.outledger.jdbc.spi.TakenBack;
import org.jspecify.annotations.Nullable;

/**
 * A request that is being stopped, as its place says: nothing more is begun for it, and what waits
 * for its owner is taken back, step by step.
 *
 * @param word whether it may be resumed
 * @param why why, for people
 * @param taken of how many rows it was taken back
 * @param place where the work stood; null where it had not begun
 */
record Stopping(Word word, String why, long taken, @Nullable String place) {

  /** Whether a request may be resumed once it is stopped. */
  enum Word {
    /** It may. */
    STOPPING("stopping "),
    /** Not: it has lost what it was about. */
    ENDING("ending ");

    private final String stored;

    Word(String stored) {
      this.stored = stored;
    }

    private static @Nullable Word of(RequestRow row) {
      String place = row.place();
      for (Word each : values()) {
        if (place != null && place.startsWith(each.stored)) {
          return each;
        }
      }
      return null;
    }
  }

  /** Returns whether a request is being stopped, or was. */
  static boolean isSaidBy(RequestRow row) {
    return Word.of(row) != null;
  }

  /**
   * Returns how a request is being stopped; from now on where it is not yet.
   *
   * @param why why, in that case
   */
  static Stopping of(RequestRow row, String why) {
    Word word = Word.of(row);
    String place = row.place();
    if (word == null || place == null) {
      return new Stopping(Word.STOPPING, why, 0, place);
    }
    String[] parts = place.split(" ", 4);
    int end = Integer.parseInt(parts[2]);
    String stood = parts[3].substring(end);
    return new Stopping(
        word, parts[3].substring(0, end), Long.parseLong(parts[1]), stood.isEmpty() ? null : stood);
  }

  /** Returns the same of one that cannot be resumed. */
  static Stopping forGood(RequestRow row, String why) {
    Stopping stopping = of(row, why);
    return new Stopping(Word.ENDING, stopping.why, stopping.taken, stopping.place);
  }

  Stopping and(long rows) {
    return new Stopping(word, why, taken + rows, place);
  }

  Stopping at(String newPlace) {
    return new Stopping(word, why, taken, newPlace);
  }

  /** Returns the step that this was: the last one, where nothing is left. */
  RequestStep step(RequestRow row, TakenBack.Rest rest, SoFar sofar) {
    String stood = place == null ? "" : place;
    return RequestStep.stopping(
        rest,
        sofar.done(),
        row.status().total(),
        word.stored + taken + " " + why.length() + " " + why + stood,
        why + (sofar.result().isEmpty() ? "" : ": " + sofar.result()));
  }
}
