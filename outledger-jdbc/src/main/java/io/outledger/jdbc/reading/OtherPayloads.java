// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.event.Events;
import io.outledger.event.MediaTypes;
import io.outledger.jdbc.spi.HeaderText;
import io.outledger.jdbc.spi.SqlNaming;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Tells payloads that say in their header that they were written by another serializer. {@link
 * MediaTypes} decides, as where they are read. SQL only leaves out those whose header names, letter
 * by letter, what is read, and those without one: where one serializer has written all, that is all
 * of them.
 *
 * @param read the media types that a build reads; where there are none, nothing is told
 */
record OtherPayloads(Set<String> read) {

  private static final String NAMES_ONE =
      "(m.headers LIKE 'content-type=%' OR m.headers LIKE '%&content-type=%')";
  private static final String IS = "m.headers LIKE ? ESCAPE '!'";

  /** Returns a condition that is true of each of them, and of few others. */
  Query suspected(SqlNaming naming) {
    if (read.isEmpty()) {
      return Query.of(naming, "1 = 0");
    }
    List<String> patterns = patterns();
    return Query.of(
        naming,
        NAMES_ONE
            + " AND NOT ("
            + String.join(" OR ", patterns.stream().map(each -> IS).toList())
            + ")",
        patterns.toArray());
  }

  /**
   * Returns whether a payload is one, by its headers as they are stored; not if these are broken.
   */
  boolean isOne(@Nullable String headers) {
    try {
      return MediaTypes.isOther(read, HeaderText.decode(headers).get(Events.CONTENT_TYPE));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** As headers are stored: alone or between others, with or without parameters. */
  private List<String> patterns() {
    List<String> patterns = new ArrayList<>();
    for (String type : new TreeSet<>(read)) {
      String header =
          String.valueOf(HeaderText.encode(Map.of(Events.CONTENT_TYPE, type)))
              .replace("!", "!!")
              .replace("%", "!%")
              .replace("_", "!_");
      for (String before : List.of("", "%&")) {
        for (String after : List.of("", "&%", "!%3B%")) {
          patterns.add(before + header + after);
        }
      }
    }
    return patterns;
  }
}
