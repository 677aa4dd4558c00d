// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When a scheduled message is delivered: it waits beside the ledger until its time has come by the
 * database's clock, and then enters the ledger like any other message. Until then it can be
 * cancelled, by its id or by a name of the application's own. Immutable.
 *
 * <pre>{@code
 * Delivery inThreeDays = Delivery.after(Duration.ofDays(3)).named("reminder-" + orderId);
 * outbox.append(new PaymentReminder(orderId), inThreeDays);
 * …
 * outbox.cancel("reminder-" + orderId); // in the transaction that takes the payment
 * }</pre>
 *
 * <p>A time that has passed means now: such a message is due at once. A message never enters before
 * its time. Messages of one key that are due at the same time enter in the order in which they were
 * scheduled.
 */
public final class Delivery {

  /** The longest delay: 1,000 years. */
  public static final Duration AFTER_MAX = Duration.ofDays(365_000);

  private final @Nullable Instant time;
  private final Duration delay;
  private final @Nullable String name;
  private final boolean replaces;

  private Delivery(
      @Nullable Instant time, Duration delay, @Nullable String name, boolean replaces) {
    this.time = time;
    this.delay = delay;
    this.name = name;
    this.replaces = replaces;
  }

  /**
   * Delivers at a time. It is compared with the database's clock, whatever the clocks of processes
   * say.
   *
   * @param time from the year 1 to 9999; rounded up to the microsecond; one that has passed means
   *     now
   * @throws ConfigurationException {@code OUT-021} if it is null
   * @throws InvalidMessageException {@code OUT-014} if it is out of that range
   */
  public static Delivery at(Instant time) {
    Instant given = Require.nonNull("time", time);
    if (given.isBefore(MessageLimits.TIME_MIN) || given.isAfter(MessageLimits.TIME_MAX)) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          "the time of delivery is " + given + " but must be between the years 1 and 9999");
    }
    Instant micros = given.truncatedTo(ChronoUnit.MICROS);
    return new Delivery(
        micros.isBefore(given) ? micros.plus(1, ChronoUnit.MICROS) : micros,
        Duration.ZERO,
        null,
        false);
  }

  /**
   * Delivers so long after the moment at which the database takes the message.
   *
   * @param delay up to {@link #AFTER_MAX}; rounded up to the millisecond; zero or less means now
   * @throws ConfigurationException {@code OUT-021} if it is null
   * @throws InvalidMessageException {@code OUT-014} if it is longer
   */
  public static Delivery after(Duration delay) {
    Duration given = Require.nonNull("delay", delay);
    if (given.compareTo(AFTER_MAX) > 0) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          "the delay is " + Printable.span(given) + " but must be 1,000 years at most");
    }
    if (given.isNegative()) {
      return new Delivery(null, Duration.ZERO, null, false);
    }
    Duration millis = given.truncatedTo(ChronoUnit.MILLIS);
    return new Delivery(
        null, millis.compareTo(given) < 0 ? millis.plusMillis(1) : millis, null, false);
  }

  /**
   * Returns this delivery under a name. While a message waits under it, no other one can be
   * scheduled under it: that fails with {@code OUT-050}. Once it was delivered or cancelled, the
   * name is free.
   *
   * @param value unique among all that wait in this ledger, as by an id of the business; a {@link
   *     Name}, of {@value Name#CHARS_MAX} characters at most
   * @throws ConfigurationException {@code OUT-006} if it is not a valid name
   */
  public Delivery named(String value) {
    return new Delivery(time, delay, Name.check("scheduled message", value), false);
  }

  /**
   * Returns this delivery under a name, in place of what waits under it: that is cancelled in the
   * same transaction. Where nothing waits under it, it is as {@link #named}.
   *
   * @param value as for {@link #named}
   * @throws ConfigurationException {@code OUT-006} if it is not a valid name
   */
  public Delivery replacing(String value) {
    return new Delivery(time, delay, Name.check("scheduled message", value), true);
  }

  /** Returns the time, to the microsecond; empty where a delay was given. */
  public Optional<Instant> time() {
    return Optional.ofNullable(time);
  }

  /** Returns the delay, in whole milliseconds; zero where a time was given. */
  public Duration delay() {
    return delay;
  }

  /** Returns the name; empty where it has none. */
  public Optional<String> name() {
    return Optional.ofNullable(name);
  }

  /** Returns whether it takes the place of what waits under its name. */
  public boolean isReplacing() {
    return replaces;
  }

  /**
   * Returns the message that is scheduled, of those that an event has become: for outboxes.
   *
   * @param messages what guards, enrichments and mappings have made of the event
   * @throws InvalidMessageException {@code OUT-014} unless it is one
   */
  public static Message onlyOf(List<Message> messages) {
    if (Require.nonNull("messages", messages).size() != 1) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          "the mapping of the event made "
              + Printable.count(messages.size(), "message")
              + ", but one is scheduled at a time: schedule each of them by itself");
    }
    return messages.get(0);
  }

  /**
   * Returns the time at which it is due.
   *
   * @param now the time at which it is scheduled
   */
  public Instant due(Instant now) {
    Require.nonNull("now", now);
    return time == null ? now.plus(delay) : time;
  }

  /** Returns time or delay, and the name. */
  @Override
  public String toString() {
    String when = time == null ? "after " + Printable.span(delay) : "at " + time;
    String called = name == null ? "" : (replaces ? " replacing " : " named ") + name;
    return "Delivery[" + when + called + "]";
  }
}
