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
 * @param why why, for people
 * @param taken of how many rows it was taken back
 * @param place where the work stood; null where it had not begun
 */
record Stopping(String why, long taken, @Nullable String place) {

  private static final String WORD = "stopping ";

  /** Returns whether a request is being stopped. */
  static boolean isSaidBy(RequestRow row) {
    return row.place() != null && row.place().startsWith(WORD);
  }

  /**
   * Returns how a request is being stopped; from now on where it is not yet.
   *
   * @param why why, in that case
   */
  static Stopping of(RequestRow row, String why) {
    String place = row.place();
    if (!isSaidBy(row) || place == null) {
      return new Stopping(why, 0, place);
    }
    String[] parts = place.split(" ", 4);
    int end = Integer.parseInt(parts[2]);
    String stood = parts[3].substring(end);
    return new Stopping(
        parts[3].substring(0, end), Long.parseLong(parts[1]), stood.isEmpty() ? null : stood);
  }

  Stopping and(long rows) {
    return new Stopping(why, taken + rows, place);
  }

  /** Returns the step that this was: the last one, where nothing is left. */
  RequestStep step(RequestRow row, TakenBack.Rest rest, SoFar sofar) {
    String stood = place == null ? "" : place;
    return RequestStep.stopping(
        rest,
        sofar.done(),
        row.status().total(),
        WORD + taken + " " + why.length() + " " + why + stood,
        why + (sofar.result().isEmpty() ? "" : ": " + sofar.result()));
  }
}
