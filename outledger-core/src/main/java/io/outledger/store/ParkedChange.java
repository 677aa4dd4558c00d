// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Require;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A change to the parked messages, made in the same transaction as the save that carries it. Route,
 * position and id say which row it is of: after a ledger was emptied, a message of the new one may
 * be parked beside one of the earlier ledger that had its position.
 */
public sealed interface ParkedChange {

  /** Returns the message's position. */
  long position();

  /** Returns the route. */
  String route();

  /** Returns the message's id. */
  UUID id();

  /**
   * Sets a message aside. It replaces what the same message is parked as in the same route, but for
   * one that an operator has withdrawn: that stays as it is, for its owner to discard.
   *
   * @param message the message, its route, state and attempts
   * @param error what happened, for people; null where it is merely held
   * @param retryIn how long until it is tried again, by the database's clock; null unless retrying,
   *     and where it waits for the end of a pause
   * @param attempt the attempt that has failed; null where none was made. Those of what it replaces
   *     are forgotten
   */
  record Park(
      ParkedMessage message,
      @Nullable String error,
      @Nullable Duration retryIn,
      @Nullable FailedAttempt attempt)
      implements ParkedChange {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
     */
    public Park {
      Require.nonNull("message", message);
    }

    /** Sets a message aside that was not tried. */
    public Park(ParkedMessage message, @Nullable String error, @Nullable Duration retryIn) {
      this(message, error, retryIn, null);
    }

    @Override
    public long position() {
      return message.position();
    }

    @Override
    public String route() {
      return message.route();
    }

    @Override
    public UUID id() {
      return message.message().id();
    }
  }

  /**
   * Changes how a message is parked, where it is still parked: another attempt has failed, or it is
   * to wait once more.
   *
   * @param position its position
   * @param route its route
   * @param id its id
   * @param state {@link ParkedState#RETRYING}, {@link ParkedState#DEAD}, or {@link
   *     ParkedState#HELD} where it waits behind another of its key
   * @param blocks whether later messages of its key are still held behind it
   * @param attempts how many attempts have failed now
   * @param error what happened, for people
   * @param retryIn how long until it is tried again; null unless retrying, and where it waits for
   *     the end of a pause
   * @param attempt the attempt that has failed; null where none was made, and it waits once more
   */
  record Fail(
      long position,
      String route,
      UUID id,
      ParkedState state,
      boolean blocks,
      int attempts,
      String error,
      @Nullable Duration retryIn,
      @Nullable FailedAttempt attempt)
      implements ParkedChange {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
     */
    public Fail {
      Require.nonNull("route", route);
      Require.nonNull("id", id);
      Require.nonNull("state", state);
      Require.nonNull("error", error);
    }
  }

  /**
   * Takes a parked message away, where it is still parked: published at last, or discarded by an
   * operator.
   *
   * @param position its position
   * @param route its route
   * @param id its id
   * @param discarded whether an operator has discarded it, and it was not published: the relay
   *     knows; a request that came while a retry was in flight says nothing of it
   */
  record Remove(long position, String route, UUID id, boolean discarded) implements ParkedChange {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
     */
    public Remove {
      Require.nonNull("route", route);
      Require.nonNull("id", id);
    }

    /** Takes away one that was published. */
    public Remove(long position, String route, UUID id) {
      this(position, route, id, false);
    }
  }

  /**
   * Notes of a message that is not parked that it was settled without being published, because an
   * operator has erased it. A store without a history of messages does nothing.
   *
   * @param position its position
   * @param id its id
   */
  record PassOver(long position, UUID id) implements ParkedChange {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
     */
    public PassOver {
      Require.nonNull("id", id);
    }

    /** Returns an empty text: no route is to see the message. */
    @Override
    public String route() {
      return "";
    }
  }
}
