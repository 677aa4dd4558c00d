// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/**
 * Remembers when AWS last answered a request. Neither a queue that is stuck nor an AWS that is
 * unreachable answers; this tells the two apart. Thread-safe.
 */
final class LifeSigns {

  private final TimeSource time;
  private final long halfNanos;
  private volatile long heardAt;

  /**
   * Creates it.
   *
   * @param requestTimeMax how long a request waits for its answer
   */
  LifeSigns(TimeSource time, Duration requestTimeMax) {
    this.time = time;
    this.halfNanos = requestTimeMax.toNanos() / 2;
    this.heardAt = time.nanoTime();
  }

  /** A request was not answered, although AWS answered others. */
  static final class Silence extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private Silence(Throwable cause) {
      super(cause);
    }
  }

  /**
   * Returns the result of a request that begins now. Without an answer it fails with {@link
   * Silence} if AWS has answered another request in the second half of its time.
   */
  <T> CompletableFuture<T> watched(CompletableFuture<T> request) {
    long begun = time.nanoTime();
    return request.handle(
        (answer, failure) -> {
          if (failure == null || cause(failure) instanceof AwsServiceException) {
            heardAt = time.nanoTime();
          } else if (heardAt - begun >= halfNanos) {
            throw new Silence(cause(failure));
          }
          if (failure != null) {
            throw new CompletionException(cause(failure));
          }
          return answer;
        });
  }

  private static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }
}
