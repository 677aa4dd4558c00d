// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.PublisherClient;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a handler. A message whose handler still runs when this is closed is reported as
 * unavailable; should its transaction commit all the same, its inbox row makes the next delivery a
 * duplicate.
 */
final class HandlerClient implements PublisherClient {

  private static final Logger LOG = LoggerFactory.getLogger(HandlerClient.class);

  private final String name;
  private final PositionedHandler handler;
  private final Executor executor;
  private final Outcomes outcomes;
  private final Set<Long> unanswered = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  HandlerClient(String name, PositionedHandler handler, Executor executor, Outcomes outcomes) {
    this.name = name;
    this.handler = handler;
    this.executor = executor;
    this.outcomes = outcomes;
  }

  @Override
  public void publish(long position, int attempt, Message message) {
    unanswered.add(position);
    try {
      executor.execute(() -> run(position, attempt, message));
    } catch (RejectedExecutionException e) {
      answer(position, Outcome.unavailable("the executor of the handlers rejected the task: " + e));
    }
  }

  @Override
  public void flush() {
    // Each message is handed to the executor as it comes.
  }

  @Override
  public void close() {
    closed = true;
    for (Long position : unanswered) {
      answer(position, Outcome.unavailable("the relay has closed its handlers"));
    }
  }

  private void run(long position, int attempt, Message message) {
    if (closed) {
      answer(position, Outcome.unavailable("the relay has closed its handlers"));
      return;
    }
    answer(position, handle(position, attempt, message));
  }

  private Outcome handle(long position, int attempt, Message message) {
    try {
      handler.handle(position, attempt, message);
      return Outcome.PUBLISHED;
    } catch (InvalidMessageException e) {
      return Outcome.refused(String.valueOf(e.getMessage()));
    } catch (DestinationUnavailableException e) {
      return Outcome.unavailable(String.valueOf(e.getMessage()));
    } catch (Throwable e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      Subject subject = new Subject(message.id(), message.key(), position, name);
      UserCode.log(LOG, "handling " + subject + " failed", e);
      return Outcome.suspect(UserCode.describe(e));
    }
  }

  /** Under a lock, so that nothing is reported any more when a close has returned. */
  private synchronized void answer(long position, Outcome outcome) {
    if (unanswered.remove(position)) {
      outcomes.report(position, outcome);
    }
  }
}
