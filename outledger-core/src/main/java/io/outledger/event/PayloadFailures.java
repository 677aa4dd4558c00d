// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.OutledgerException;
import io.outledger.Require;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What {@link PayloadSerializer}s say when their library fails: whatever it throws, one payload is
 * at fault, and the error is {@code OUT-015}. For those who write serializers.
 */
public final class PayloadFailures {

  private PayloadFailures() {}

  /**
   * A call of a library.
   *
   * @param <T> what it returns
   */
  @FunctionalInterface
  public interface Call<T> {

    /**
     * Calls.
     *
     * @throws IOException as the library does
     */
    T call() throws IOException;
  }

  /**
   * Calls a library. Whatever it throws becomes the failure of the payload: also a {@link
   * StackOverflowError}, by which libraries end on what is nested too deeply. Other errors are
   * thrown on, and so is every {@link OutledgerException}.
   *
   * @param call may throw whatever it likes
   * @param meaning makes the failure of what was thrown; most leave it out as the cause, because it
   *     may quote the payload
   * @throws InvalidMessageException what {@code meaning} returns
   */
  public static <T> T called(Call<T> call, Function<Throwable, InvalidMessageException> meaning) {
    Require.nonNull("call", call);
    Require.nonNull("meaning", meaning);
    try {
      return call.call();
    } catch (OutledgerException e) {
      throw e;
    } catch (IOException | RuntimeException | StackOverflowError e) {
      throw meaning.apply(e);
    }
  }

  /**
   * Returns the failure of an event that cannot be written.
   *
   * @param format such as {@code as JSON}
   * @param why for people, without a value of the event
   * @param cause null where it may quote the event
   */
  public static InvalidMessageException unwritable(
      Object event, String format, String why, @Nullable Throwable cause) {
    return new InvalidMessageException(
        ErrorCode.UNREADABLE_PAYLOAD,
        "an event of "
            + Require.nonNull("event", event).getClass().getName()
            + " cannot be written "
            + Require.nonNull("format", format)
            + ": "
            + Require.nonNull("why", why),
        cause);
  }

  /**
   * Returns the failure of a payload that cannot be read.
   *
   * @param as the class to read
   * @param why for people, without a value of the payload
   */
  public static InvalidMessageException unreadable(byte[] payload, Class<?> as, String why) {
    return new InvalidMessageException(
        ErrorCode.UNREADABLE_PAYLOAD,
        "a payload of "
            + Require.nonNull("payload", payload).length
            + " bytes cannot be read as "
            + Require.nonNull("as", as).getName()
            + ": "
            + Require.nonNull("why", why));
  }
}
