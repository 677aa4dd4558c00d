// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.jdbc.admin.Cause;
import io.outledger.jdbc.admin.Cause.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One of the reasons for which a relay keeps messages back, as the status table stores it: a line
 * for each, form-encoded.
 *
 * @param kind what sort of reason
 * @param about whose messages
 * @param text what happened, for people
 * @param before how long before the status began the reason did
 */
public record RelayCause(Kind kind, About about, String text, Duration before) {

  /** More are not stored. */
  private static final int CAUSES_MAX = 100;

  private static final int CHARS_MAX = 500;

  /**
   * Whose messages.
   *
   * @param route the route; empty for the only one, or for all
   * @param topic the topic; null if it is not about one
   * @param type the type; null if it is not about one
   * @param key the key; null if it is not about one
   */
  public record About(
      String route, @Nullable String topic, @Nullable String type, @Nullable String key) {

    /** All that the subscription has. */
    public static final About ALL = ofRoute("");

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if the route is null
     */
    public About {
      Require.nonNull("route", route);
    }

    /** Returns all messages of a route. */
    public static About ofRoute(String route) {
      return new About(route, null, null, null);
    }
  }

  /**
   * Cuts a text that is too long.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public RelayCause {
    Require.nonNull("kind", kind);
    Require.nonNull("about", about);
    Require.nonNull("before", before);
    if (Require.nonNull("text", text).length() > CHARS_MAX) {
      text = text.substring(0, CHARS_MAX);
    }
  }

  /** Returns the first {@value #CAUSES_MAX} as one text, for a row; null where there is none. */
  public static @Nullable String write(List<RelayCause> causes) {
    Require.nonNull("causes", causes);
    List<String> lines = causes.stream().limit(CAUSES_MAX).map(RelayCause::line).toList();
    return lines.isEmpty() ? null : String.join("\n", lines);
  }

  private String line() {
    Map<String, String> fields = new TreeMap<>();
    fields.put("kind", kind.name());
    put(fields, "route", about.route.isEmpty() ? null : about.route);
    put(fields, "topic", about.topic);
    put(fields, "type", about.type);
    put(fields, "key", about.key);
    put(fields, "text", text);
    put(fields, "ms_before", Long.toString(before.toMillis()));
    return String.valueOf(HeaderText.encode(fields));
  }

  private static void put(Map<String, String> fields, String name, @Nullable String value) {
    if (value != null) {
      fields.put(name, value);
    }
  }

  /**
   * Reads what {@link #write} has written.
   *
   * @param since since when the row's status is
   */
  public static List<Cause> read(@Nullable String text, Instant since) {
    Require.nonNull("since", since);
    List<Cause> causes = new ArrayList<>();
    if (text != null) {
      for (String line : text.split("\n", -1)) {
        causes.add(cause(HeaderText.decode(line), since));
      }
    }
    return causes;
  }

  private static Cause cause(Map<String, String> fields, Instant since) {
    return new Cause(
        kind(fields.getOrDefault("kind", "")),
        fields.getOrDefault("route", ""),
        fields.get("topic"),
        fields.get("type"),
        fields.get("key"),
        since.minusMillis(Long.parseLong(fields.getOrDefault("ms_before", "0"))),
        fields.getOrDefault("text", ""));
  }

  private static Kind kind(String stored) {
    for (Kind kind : Kind.values()) {
      if (kind.name().equals(stored)) {
        return kind;
      }
    }
    return Kind.OTHER;
  }
}
