// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.ConfigurationException;
import io.outledger.Name;
import io.outledger.Printable;
import io.outledger.Require;
import java.util.Locale;

/**
 * Who reads messages, parks those that fail, and is asked about: a subscription of the ledger, or a
 * consumer of received messages; or the ledger with all of them, for what is asked of no single
 * one.
 *
 * @param kind which of the two
 * @param name its name
 * @param partition one of a subscription's partitions, from 1 on, to list what it alone has parked;
 *     0 for the whole subscription, and for a consumer
 */
public record Reader(Kind kind, String name, int partition) {

  /** What reads: a relay's subscription, or a receiver's consumer. */
  public enum Kind {
    /** A named reader of the ledger. */
    SUBSCRIPTION,
    /** A named reader of received messages. */
    CONSUMER,
    /** The ledger and all that reads here. It has parked nothing of its own. */
    LEDGER;

    /** Returns how the tables store it, such as {@code subscription}. */
    public String stored() {
      return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads what a table stores.
     *
     * @throws IllegalArgumentException if it is none of them
     */
    public static Kind of(String stored) {
      return valueOf(Require.nonNull("stored", stored).toUpperCase(Locale.ROOT));
    }
  }

  private static final int SHOWN_MAX = 90;

  /** The ledger and all that reads in its schema. */
  public static final Reader LEDGER = new Reader(Kind.LEDGER, "ledger", 0);

  /**
   * Checks the name.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-006} if it is not valid, {@code OUT-021}
   *     if the kind is null
   */
  public Reader {
    Require.nonNull("kind", kind);
    Name.check(kind.stored(), name);
  }

  /**
   * Returns one that a table names, whoever has written the row: a name that is none stands there
   * in quotes and cut short, so that it can be read and is nobody's.
   *
   * @param name what stands there
   */
  public static Reader asItStands(Kind kind, String name) {
    Require.nonNull("kind", kind);
    Require.nonNull("name", name);
    try {
      return new Reader(kind, name, 0);
    } catch (ConfigurationException e) {
      String shown = Printable.value(name);
      boolean isCut = shown.length() > SHOWN_MAX;
      return new Reader(
          kind, '"' + (isCut ? shown.substring(0, SHOWN_MAX) + "..." : shown) + '"', 0);
    }
  }

  /** Returns a subscription. */
  public static Reader subscription(String name) {
    return new Reader(Kind.SUBSCRIPTION, name, 0);
  }

  /** Returns a consumer. */
  public static Reader consumer(String name) {
    return new Reader(Kind.CONSUMER, name, 0);
  }

  /** Returns whether it is a consumer. */
  public boolean isConsumer() {
    return kind == Kind.CONSUMER;
  }

  /** Names it for people, such as {@code subscription kafka}. */
  @Override
  public String toString() {
    if (kind == Kind.LEDGER) {
      return "the ledger";
    }
    return kind.stored() + " " + name + (partition == 0 ? "" : "/" + partition);
  }
}
