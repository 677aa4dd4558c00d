// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Given;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A change to the parked messages, made in the same transaction as the save that carries it. */
public sealed interface ParkedChange {

  /** Returns the message's position. */
  long position();

  /** Returns the route. */
  String route();

  /**
   * Sets a message aside.
   *
   * @param message the message, its route, state and attempts
   * @param error what happened, for people; null where it is merely held
   * @param retryIn how long until it is tried again, by the database's clock; null unless retrying
   */
  record Park(ParkedMessage message, @Nullable String error, @Nullable Duration retryIn)
      implements ParkedChange {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
     */
    public Park {
      Given.check("message", message);
    }

    @Override
    public long position() {
      return message.position();
    }

    @Override
    public String route() {
      return message.route();
    }
  }

  /**
   * Notes another failed attempt of a parked message.
   *
   * @param position its position
   * @param route its route
   * @param state {@link ParkedState#RETRYING}, {@link ParkedState#DEAD}, or {@link
   *     ParkedState#HELD} where it waits behind another of its key
   * @param blocks whether later messages of its key are still held behind it
   * @param attempts how many attempts have failed now
   * @param error what happened, for people
   * @param retryIn how long until it is tried again; null unless retrying
   */
  record Fail(
      long position,
      String route,
      ParkedState state,
      boolean blocks,
      int attempts,
      String error,
      @Nullable Duration retryIn)
      implements ParkedChange {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
     */
    public Fail {
      Given.check("route", route);
      Given.check("state", state);
      Given.check("error", error);
    }
  }

  /**
   * Takes a parked message away: published at last, or discarded by an operator.
   *
   * @param position its position
   * @param route its route
   * @param discarded whether an operator has discarded it, and it was not published: the relay
   *     knows; a request that came while a retry was in flight says nothing of it
   */
  record Remove(long position, String route, boolean discarded) implements ParkedChange {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
     */
    public Remove {
      Given.check("route", route);
    }

    /** Takes away one that was published. */
    public Remove(long position, String route) {
      this(position, route, false);
    }
  }
}
