// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * What of a subscription is paused.
 *
 * @param kind which kind of thing
 * @param name the route's name, topic or key; empty for the subscription itself, and for the route
 *     of a subscription with one publisher
 */
public record PauseScope(Kind kind, String name) {

  /** The most bytes of a name, in UTF-8: those of the longest key. */
  public static final int NAME_BYTES_MAX = 1_500;

  /** All of it, or a part. */
  public enum Kind {
    /** The whole subscription: its owner keeps the lease and publishes nothing. */
    SUBSCRIPTION,
    /** One route: it counts as unavailable. */
    ROUTE,
    /** The messages of one topic: they are set aside. */
    TOPIC,
    /** The messages of one key: they are set aside. */
    KEY;

    /** Returns how the table stores it, in lower case. */
    public String stored() {
      return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads what the table stores.
     *
     * @throws IllegalArgumentException if it is none of them
     */
    public static Kind of(String stored) {
      return valueOf(Require.nonNull("stored", stored).toUpperCase(Locale.ROOT));
    }
  }

  /**
   * Checks what is given.
   *
   * @throws ConfigurationException {@code OUT-021} if something is null, too long, or no database
   *     stores it; or if a topic or key is empty
   */
  public PauseScope {
    Require.nonNull("kind", kind);
    Require.text("name", name);
    boolean isEmptyWrongly = name.isEmpty() && (kind == Kind.TOPIC || kind == Kind.KEY);
    boolean isNamedWrongly = kind == Kind.SUBSCRIPTION && !name.isEmpty();
    if (isEmptyWrongly
        || isNamedWrongly
        || name.getBytes(StandardCharsets.UTF_8).length > NAME_BYTES_MAX) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "the name of the paused "
              + kind.stored()
              + (isEmptyWrongly ? " is empty" : isNamedWrongly ? " is not empty" : " is too long"));
    }
  }

  /** Returns the whole subscription. */
  public static PauseScope subscription() {
    return new PauseScope(Kind.SUBSCRIPTION, "");
  }

  /** Returns a route. */
  public static PauseScope route(String name) {
    return new PauseScope(Kind.ROUTE, name);
  }

  /** Returns a topic. */
  public static PauseScope topic(String name) {
    return new PauseScope(Kind.TOPIC, name);
  }

  /** Returns a key. */
  public static PauseScope key(String name) {
    return new PauseScope(Kind.KEY, name);
  }

  @Override
  public String toString() {
    return name.isEmpty() ? "the " + kind.stored() : kind.stored() + " " + name;
  }
}
