// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.inbox.Received;
import io.outledger.time.TimeSource;
import java.security.SecureRandom;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What users choose for a receiver of any broker. A broker's module keeps one and passes its own
 * setters on to it. Immutable and thread-safe; each {@code with} returns a copy.
 *
 * @param options how failures are treated
 * @param listener who is told of events, besides the log
 * @param time the clock
 * @param origin what to call the place that messages come from; null for what the broker calls it
 * @param unreadable who notes what cannot be received; null where that holds its stream
 */
public record ReceiverSettings(
    ReceiverOptions options,
    ReceiverListener listener,
    TimeSource time,
    @Nullable String origin,
    @Nullable UnreadableMessages unreadable) {

  /** The defaults: nothing is parked without an inbox's handler, and nothing is passed over. */
  public static final ReceiverSettings DEFAULT =
      new ReceiverSettings(
          ReceiverOptions.DEFAULT, ReceiverListener.NONE, TimeSource.system(), null, null);

  /**
   * Checks them.
   *
   * @throws ConfigurationException {@code OUT-021} if options, listener or time is null
   */
  public ReceiverSettings {
    Require.nonNull("options", options);
    Require.nonNull("listener", listener);
    Require.nonNull("time", time);
  }

  /** Returns settings with other options. */
  public ReceiverSettings withOptions(ReceiverOptions value) {
    return new ReceiverSettings(value, listener, time, origin, unreadable);
  }

  /** Returns settings with one more listener. */
  public ReceiverSettings withListener(ReceiverListener value) {
    ReceiverListener all = listener.and(Require.nonNull("listener", value));
    return new ReceiverSettings(options, all, time, origin, unreadable);
  }

  /** Returns settings with another clock. */
  public ReceiverSettings withTime(TimeSource value) {
    return new ReceiverSettings(options, listener, value, origin, unreadable);
  }

  /**
   * Returns settings with a name for the place that messages come from.
   *
   * @param value 1 to {@value Received#ORIGIN_CHARS_MAX} characters of ASCII without spaces
   * @throws ConfigurationException {@code OUT-021} if it has another form
   */
  public ReceiverSettings withOrigin(String value) {
    if (Require.nonNull("origin", value).isEmpty() || !Received.isOrigin(value)) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "a receiver's origin must have 1 to "
              + Received.ORIGIN_CHARS_MAX
              + " characters of ASCII without spaces");
    }
    return new ReceiverSettings(options, listener, time, value, unreadable);
  }

  /**
   * Checks that a place can be part of a message's identity, where no other name is given for it.
   *
   * @param kind what it is, for people, such as {@code stream}
   * @param place where all messages come from, as the broker calls it
   * @throws ConfigurationException {@code OUT-021} if it cannot
   */
  public void checkOrigin(String kind, String place) {
    Require.nonNull("kind", kind);
    Require.nonNull("place", place);
    if (origin == null && !Received.isOrigin(place)) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "the "
              + kind
              + " '"
              + Printable.value(place)
              + "' cannot be part of a message's identity: it has more than "
              + Received.ORIGIN_CHARS_MAX
              + " characters, a space, or a character that is not ASCII; give the receiver a name"
              + " for it with origin(...)");
    }
  }

  /** Returns settings with a handler for deliveries that cannot be read. */
  public ReceiverSettings withUnreadable(UnreadableMessages value) {
    return new ReceiverSettings(
        options, listener, time, origin, Require.nonNull("unreadable", value));
  }

  /** Returns what a {@link Receiver} is given, under its name in the log. */
  public ReceiverContext context(String name) {
    return new ReceiverContext(
        Require.nonNull("name", name), options, listener, time, new SecureRandom());
  }

  /**
   * Passes an unreadable delivery to the handler of such deliveries.
   *
   * @param arrival the delivery
   * @param payload its bytes
   * @throws Exception the delivery's problem if there is no handler, or what the handler throws
   */
  public void setAside(Arrival<?> arrival, byte[] payload) throws Exception {
    Require.nonNull("payload", payload);
    InvalidMessageException problem =
        Objects.requireNonNull(
            Require.nonNull("arrival", arrival).problem(),
            "only unreadable deliveries are set aside");
    if (unreadable == null) {
      throw problem;
    }
    String place = String.valueOf(arrival.place());
    String reason = String.valueOf(problem.getMessage());
    unreadable.setAside(place, payload, reason);
  }
}
