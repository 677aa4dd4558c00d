// SPDX-License-Identifier: Apache-2.0
package io.outledger.cloudevents;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Require;
import java.util.List;

/**
 * The names of headers to which a protocol, its servers or its clients give a meaning. A message
 * that carried such a name could be dropped as a duplicate, delayed, or led elsewhere. So messages
 * may not set them, and receivers leave them out: they are meant for one hop, and what is passed on
 * must not instruct the next server. Case is ignored. Immutable and thread-safe.
 */
public final class ReservedHeaders {

  /** Reserves nothing: the protocol gives no header a meaning. */
  public static final ReservedHeaders NONE = new ReservedHeaders("no protocol", List.of());

  private final String protocol;
  private final List<String> patterns;

  private ReservedHeaders(String protocol, List<String> patterns) {
    this.protocol = protocol;
    this.patterns = patterns;
  }

  /**
   * Makes a list.
   *
   * @param protocol where they have their meaning, for an error's text, such as {@code NATS}
   * @param names the names; one that ends with {@code *} stands for all that begin as it does
   * @throws io.outledger.ConfigurationException {@code OUT-021} if an argument is null
   */
  public static ReservedHeaders in(String protocol, String... names) {
    return new ReservedHeaders(
        Require.nonNull("protocol", protocol), List.of(Require.nonNull("names", names)));
  }

  /** Says whether a name is reserved. */
  public boolean contains(String name) {
    Require.nonNull("name", name);
    return patterns.stream().anyMatch(pattern -> matches(pattern, name));
  }

  private static boolean matches(String pattern, String name) {
    int prefix = pattern.length() - 1;
    return pattern.endsWith("*")
        ? name.regionMatches(true, 0, pattern, 0, prefix)
        : name.equalsIgnoreCase(pattern);
  }

  /** Refuses a reserved name. */
  void check(String name) {
    if (contains(name)) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          "header '" + name + "' has a meaning of its own in " + protocol + "; use another name");
    }
  }
}
