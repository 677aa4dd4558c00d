// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.inbox.Received;
import org.jspecify.annotations.Nullable;

/**
 * A delivery from a broker: a message, or the reason why it cannot be read.
 *
 * @param place where it lies, as the broker counts; its text names it in the log
 * @param bytes about how much memory it takes
 * @param message the message; null where it cannot be received
 * @param problem why it cannot; null where it can
 * @param again reads it once more where the problem may pass, such as a lack of memory; null where
 *     there is none, or it is the delivery's own
 * @param <P> the broker's places
 */
public record Arrival<P>(
    P place,
    int bytes,
    @Nullable Received message,
    @Nullable InvalidMessageException problem,
    @Nullable Reading<?> again) {

  /**
   * Makes a message of a delivery.
   *
   * @param <X> what the broker's client may throw
   */
  @FunctionalInterface
  public interface Reading<X extends Exception> {

    /**
     * Reads it; called again where something else than the delivery may be at fault.
     *
     * @throws InvalidMessageException if it is no message, however often it is read
     * @throws X if the broker's client failed
     */
    Received read() throws X;
  }

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if the place is null
   */
  public Arrival {
    Require.nonNull("place", place);
  }

  /**
   * Makes one of what was read, or cannot be.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if the place is null
   */
  public Arrival(
      P place, int bytes, @Nullable Received message, @Nullable InvalidMessageException problem) {
    this(place, bytes, message, problem, null);
  }

  /**
   * Reads a delivery. An {@link InvalidMessageException} is a problem of the delivery. Whatever
   * else reading throws without declaring it, an {@link Error} too, is one that may pass: the
   * delivery is read again after the back-off, and taken for unreadable once the attempts of the
   * retry policy are used up. So no delivery can end its consumer again and again.
   *
   * @throws X what reading declares: the broker's client failed
   */
  public static <P, X extends Exception> Arrival<P> read(P place, int bytes, Reading<X> reading)
      throws X {
    Require.nonNull("reading", reading);
    try {
      return new Arrival<>(place, bytes, reading.read(), null);
    } catch (InvalidMessageException e) {
      return new Arrival<>(place, bytes, null, e);
    } catch (RuntimeException | Error e) {
      return suspect(place, bytes, reading, e);
    }
  }

  private static <P> Arrival<P> suspect(P place, int bytes, Reading<?> reading, Throwable thrown) {
    InvalidMessageException problem =
        new InvalidMessageException(
            ErrorCode.INVALID_MESSAGE,
            place + " could not be read: " + Printable.text(thrown),
            thrown);
    return new Arrival<>(place, bytes, null, problem, reading);
  }

  /** Reads it once more where that may help; else returns it as it is. */
  Arrival<P> readAgain() {
    if (again == null) {
      return this;
    }
    try {
      return read(place, bytes, again);
    } catch (Exception e) { // of the broker's client
      return suspect(place, bytes, again, e);
    }
  }
}
