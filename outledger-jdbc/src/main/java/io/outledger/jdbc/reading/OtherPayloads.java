// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.event.Events;
import io.outledger.jdbc.spi.HeaderText;
import io.outledger.jdbc.spi.SqlNaming;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Tells payloads that say in their header that they were written by another serializer. One whose
 * message has no such header says nothing.
 *
 * @param read the media types that a build reads; where there are none, nothing is told
 */
record OtherPayloads(Set<String> read) {

  private static final String NAMES_ONE =
      "m.headers LIKE 'content-type=%' OR m.headers LIKE '%&content-type=%'";
  private static final String IS = "LOWER(m.headers) LIKE ? ESCAPE '!'";

  /** Says that a payload is bytes, and not of what kind; so readers take it. */
  private static final String BYTES = "application/octet-stream";

  /** Returns a select list's column that counts them, and its values. */
  Query count(SqlNaming naming) {
    if (read.isEmpty()) {
      return Query.of(naming, "COUNT(CASE WHEN 1 = 0 THEN 1 END)");
    }
    List<String> patterns = patterns();
    return Query.of(
        naming,
        "COUNT(CASE WHEN ("
            + NAMES_ONE
            + ") AND NOT ("
            + String.join(" OR ", patterns.stream().map(each -> IS).toList())
            + ") THEN 1 END)",
        patterns.toArray());
  }

  /** As headers are stored: alone or between others, with or without parameters, in any case. */
  private List<String> patterns() {
    List<String> patterns = new ArrayList<>();
    Set<String> accepted = new TreeSet<>(read);
    accepted.add(BYTES);
    for (String type : accepted) {
      String header =
          String.valueOf(HeaderText.encode(Map.of(Events.CONTENT_TYPE, type)))
              .toLowerCase(Locale.ROOT)
              .replace("!", "!!")
              .replace("%", "!%")
              .replace("_", "!_");
      for (String before : List.of("", "%&")) {
        for (String after : List.of("", "&%", "!%3b%")) {
          patterns.add(before + header + after);
        }
      }
    }
    return patterns;
  }
}
