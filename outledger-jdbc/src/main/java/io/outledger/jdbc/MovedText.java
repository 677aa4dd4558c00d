// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.jdbc.admin.Moved;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a move has come to, as a sentence for people, from which it can be read again. */
final class MovedText {

  private static final Pattern TEXT =
      Pattern.compile(
          "moved from position (\\d+) to (\\d+); its handlers know (\\d+) and forgot (\\d+)");

  private MovedText() {}

  static String of(Moved moved) {
    return "moved from position %s to %s; its handlers know %s and forgot %s"
        .formatted(moved.from(), moved.to(), moved.known(), moved.forgotten());
  }

  static Moved read(String text) {
    Matcher found = TEXT.matcher(text);
    if (!found.matches()) {
      throw new IllegalStateException("not the result of a move: " + text);
    }
    return new Moved(
        Long.parseLong(found.group(1)),
        Long.parseLong(found.group(2)),
        Long.parseLong(found.group(3)),
        Long.parseLong(found.group(4)));
  }
}
