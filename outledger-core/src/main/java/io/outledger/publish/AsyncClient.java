// SPDX-License-Identifier: Apache-2.0
package io.outledger.publish;

import io.outledger.Message;
import io.outledger.Printable;
import io.outledger.Require;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A client of a destination whose library answers later. Many messages are on their way at once, in
 * no promised order, so its publisher keeps the order of keys with {@link KeyOrder#ONE_AT_A_TIME}.
 *
 * <p>It connects when the first message comes, beside the caller, and again for the next message
 * once the connection is lost. While there is no connection, messages are {@linkplain
 * Outcome#unreachable unreachable}: certainly not sent, so the relay keeps this client and probes
 * with it. A message without an answer within seven eighths of its delivery time is {@linkplain
 * Outcome#unanswered unanswered}.
 *
 * @param <C> a connection of the library
 */
public final class AsyncClient<C> implements PublisherClient {

  /** After this a connection that was not made is given up, since a library may wait forever. */
  private static final Duration CONNECT_MAX = Duration.ofSeconds(30);

  private final Line<C> line;
  private final Unanswered unanswered;
  private final Duration connectMax;
  private final long connectNanos;
  private final long answerNanos;

  private @Nullable CompletableFuture<C> connection; // guarded by this
  private volatile boolean closed;

  /**
   * Creates a client; nothing is opened yet.
   *
   * @param line the destination
   * @param deliveryTimeMax as {@link Publisher#open} is told; a connection is waited for half of it
   * @param outcomes where the outcomes are reported
   * @throws io.outledger.ConfigurationException {@code OUT-021} if an argument is null
   */
  public AsyncClient(Line<C> line, Duration deliveryTimeMax, Outcomes outcomes) {
    this(line, deliveryTimeMax, CONNECT_MAX, outcomes);
  }

  AsyncClient(Line<C> line, Duration deliveryTimeMax, Duration connectMax, Outcomes outcomes) {
    this.line = Require.nonNull("line", line);
    this.connectMax = connectMax;
    this.unanswered = new Unanswered(Require.nonNull("outcomes", outcomes));
    long nanos = Require.nonNull("deliveryTimeMax", deliveryTimeMax).toNanos();
    this.connectNanos = nanos / 2;
    this.answerNanos = nanos / 8 * 7;
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // what it leads to is reported
  public void publish(long position, int attempt, Message message) {
    unanswered.add(position);
    if (closed) {
      unanswered.answer(position, BlockingClient.CLOSED);
      return;
    }
    outcome(position, message)
        .completeOnTimeout(
            Outcome.unanswered("the destination did not answer within the delivery time"),
            answerNanos,
            TimeUnit.NANOSECONDS)
        .whenComplete(
            (outcome, failure) ->
                unanswered.answer(position, failure == null ? outcome : suspect(failure)));
  }

  private CompletableFuture<Outcome> outcome(long position, Message message) {
    return connected()
        .handle(
            (open, failure) ->
                failure == null
                    ? sent(open, position, message)
                    : CompletableFuture.completedStage(unreachable(failure)))
        .thenCompose(sent -> sent);
  }

  private CompletionStage<Outcome> sent(C open, long position, Message message) {
    if (closed) {
      return CompletableFuture.completedStage(BlockingClient.CLOSED);
    }
    try {
      return line.send(open, position, message);
    } catch (Throwable e) { // nobody else would ever report an outcome
      return CompletableFuture.completedStage(suspect(e));
    }
  }

  /** A copy for each message: its own time to wait leaves the connection to the others. */
  private CompletableFuture<C> connected() {
    return connection().copy().orTimeout(connectNanos, TimeUnit.NANOSECONDS);
  }

  private synchronized CompletableFuture<C> connection() {
    CompletableFuture<C> known = connection;
    if (known == null || isLost(known)) {
      CompletableFuture<C> lost = known;
      known = closed ? closedConnection() : newConnection();
      connection = known;
      if (lost != null) {
        closeLate(lost);
      }
    }
    return known;
  }

  /** Whatever completes the future first decides: a connection that comes after it is closed. */
  private CompletableFuture<C> newConnection() {
    CompletableFuture<C> connecting = new CompletableFuture<>();
    try {
      line.connect()
          .whenComplete(
              (made, failure) -> {
                if (failure != null) {
                  connecting.completeExceptionally(failure);
                } else if (!connecting.complete(made)) {
                  line.close(made);
                }
              });
    } catch (Throwable e) { // also a library's part that is missing: nothing was sent
      connecting.completeExceptionally(e);
    }
    return connecting.orTimeout(connectMax.toNanos(), TimeUnit.NANOSECONDS);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // closing throws nothing
  private void closeLate(CompletableFuture<C> known) {
    known.thenAccept(line::close); // at once, or when it has connected
  }

  private boolean isLost(CompletableFuture<C> known) {
    return known.isDone() && (known.isCompletedExceptionally() || !line.isOpen(known.join()));
  }

  private static <C> CompletableFuture<C> closedConnection() {
    return CompletableFuture.failedFuture(
        new DestinationUnavailableException("the relay closed its publisher", null));
  }

  private static Outcome unreachable(Throwable failure) {
    Throwable cause = cause(failure);
    if (cause instanceof TimeoutException) {
      return Outcome.unreachable("not connected to the destination yet");
    }
    return Outcome.unreachable(
        cause instanceof DestinationUnavailableException
            ? String.valueOf(cause.getMessage())
            : Printable.text(cause));
  }

  private static Outcome suspect(Throwable failure) {
    return Outcome.suspect(Printable.text(cause(failure)));
  }

  private static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  @Override
  public void flush() {
    // Each message is handed to the library as it comes.
  }

  /**
   * Reports the outcomes before it closes the connection, so that no message is blamed for that.
   */
  @Override
  public Set<Long> recall() {
    return Set.of();
  }

  @Override
  public void close() {
    CompletableFuture<C> last;
    synchronized (this) {
      closed = true;
      last = connection;
    }
    unanswered.answerAll(BlockingClient.CLOSED);
    if (last != null) {
      closeLate(last);
    }
  }
}
