// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.StoreException;
import io.outledger.inbox.Received;
import io.outledger.publish.BlockingClient;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.PublisherClient;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Handles messages in transactions of another database, on threads of its own. */
final class JdbcPublisherClient implements PublisherClient {

  private final JdbcInbox inbox;
  private final String source;
  private final TransactionalHandler handler;
  private final Duration timeMax;
  private final ExecutorService executor;
  private final BlockingClient calls;
  private final Set<RunningTransaction> running = new HashSet<>(); // guarded by itself
  private boolean closed; // guarded by running

  JdbcPublisherClient(JdbcPublisher publisher, Duration timeMax, Outcomes outcomes) {
    this.inbox = publisher.inbox();
    this.source = publisher.source();
    this.handler = publisher.handler();
    this.timeMax = timeMax;
    AtomicInteger number = new AtomicInteger();
    String name = "outledger-into-" + inbox.consumer() + "-";
    this.executor =
        Executors.newFixedThreadPool(
            publisher.threadCount(),
            task -> {
              Thread thread = new Thread(task, name + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    this.calls = new BlockingClient(executor, (position, attempt, m) -> send(m), outcomes);
  }

  @Override
  public void publish(long position, int attempt, Message message) {
    calls.publish(position, attempt, message);
  }

  @Override
  public void flush() {
    calls.flush();
  }

  @Override
  public Set<Long> recall() {
    return calls.recall();
  }

  /**
   * Ends the connections of the transactions that are running: what they had not committed is
   * rolled back by the server, and what they had is a duplicate the next time.
   */
  @Override
  public void close() {
    synchronized (running) {
      closed = true; // first, so that no handler which fails from here on is at fault
    }
    calls.close();
    executor.shutdownNow();
    synchronized (running) {
      running.forEach(RunningTransaction::cut);
    }
  }

  private Outcome send(Message message) {
    try {
      handle(message);
      return Outcome.PUBLISHED;
    } catch (Throwable e) { // a handler may throw anything, and nobody else would tell of it
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      return CarryFailure.outcome(inbox.errors(), message, e);
    }
  }

  private void handle(Message message) throws Exception {
    Received received = Received.of(source, message);
    RunningTransaction[] mine = {null};
    try {
      inbox
          .attempts()
          .once(
              received,
              connection -> mine[0] = begun(connection),
              connection -> handler.handle(connection, message));
    } catch (Exception e) {
      if (isClosed()) {
        inbox.attempts().acquit(received); // it was interrupted, or its connection ended, here
      }
      throw e;
    } finally {
      ended(mine[0]);
    }
  }

  private boolean isClosed() {
    synchronized (running) {
      return closed;
    }
  }

  /**
   * Without a limit for its waits, a thread would wait forever over a line that is dead. The
   * handler itself may take its time.
   */
  private RunningTransaction begun(Connection connection) throws SQLException {
    RunningTransaction transaction = ((GuardedConnection) connection).running();
    transaction.limitWaits(timeMax);
    synchronized (running) {
      if (closed) {
        throw new StoreException(
            ErrorCode.STORE_UNAVAILABLE, "the relay closed its publisher", null);
      }
      running.add(transaction);
    }
    return transaction;
  }

  private void ended(@Nullable RunningTransaction transaction) {
    synchronized (running) {
      running.remove(transaction);
    }
  }
}
