// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.jdbc.admin.RequestState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a step of a request has come to; written in the transaction that has done it.
 *
 * @param state the request's state after it
 * @param done how much is done by now
 * @param total how much there is; null where nobody has counted
 * @param place where the work stands; null where the verb has no need of it
 * @param result what came of it, for people
 * @param code the error's code where it is refused; else null
 * @param next how long until the next step
 */
public record RequestStep(
    RequestState state,
    long done,
    @Nullable Long total,
    @Nullable String place,
    String result,
    @Nullable String code,
    Duration next) {

  /** The most characters of a result. */
  public static final int RESULT_CHARS_MAX = 2_000;

  /** How long until what others have locked is looked for again. */
  private static final Duration AGAIN = Duration.ofMillis(200);

  /**
   * Cuts a result that is too long.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public RequestStep {
    Require.nonNull("state", state);
    Require.nonNull("result", result);
    Require.nonNull("next", next);
    if (result.length() > RESULT_CHARS_MAX) {
      result = result.substring(0, RESULT_CHARS_MAX);
    }
  }

  /**
   * Returns a step of a request that is being stopped: its end, once everything is taken back that
   * waits for its owner.
   *
   * @param rest what this step has left of that
   */
  public static RequestStep stopping(
      TakenBack.Rest rest, long done, @Nullable Long total, String place, String result) {
    boolean isOver = Require.nonNull("rest", rest) == TakenBack.Rest.NONE;
    return new RequestStep(
        isOver ? RequestState.STOPPED : RequestState.RUNNING,
        done,
        total,
        Require.nonNull("place", place),
        result,
        null,
        rest == TakenBack.Rest.LOCKED ? AGAIN : Duration.ZERO);
  }

  /** Returns the end of a request that is one step. */
  public static RequestStep done(String result) {
    return new RequestStep(RequestState.DONE, 1, 1L, null, result, null, Duration.ZERO);
  }

  /** Returns the end of a request that had nothing to do. */
  public static RequestStep nothing(String result) {
    return new RequestStep(RequestState.DONE, 0, 0L, null, result, null, Duration.ZERO);
  }

  /** Returns the end of a request that cannot be done. */
  public static RequestStep refused(String code, String result) {
    Require.nonNull("code", code);
    return new RequestStep(RequestState.REFUSED, 0, null, null, result, code, Duration.ZERO);
  }
}
