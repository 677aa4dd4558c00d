// SPDX-License-Identifier: Apache-2.0
package io.outledger.mail;

import io.outledger.Causes;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.Printable;
import io.outledger.publish.BlockingClient;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.PublisherClient;
import io.outledger.time.TimeSource;
import jakarta.mail.MessagingException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Sends each mail on one of its own threads, and reuses connections that are not idle for long. */
final class MailClient implements PublisherClient {

  private static final Duration IDLE_MAX = Duration.ofSeconds(60);

  private final MailPublisher publisher;
  private final MailServer server;
  private final Duration limit;
  private final TimeSource time = TimeSource.system();
  private final ExecutorService executor;
  private final ScheduledThreadPoolExecutor deadlines;
  private final BlockingClient calls;
  private final Set<MailConnection> open = new HashSet<>(); // guarded by this, as all below
  private final Deque<MailConnection> idle = new ArrayDeque<>();
  private boolean closed;

  MailClient(MailPublisher publisher, Duration timeMax, Outcomes outcomes) {
    this.publisher = publisher;
    this.server = publisher.server();
    this.limit = timeMax.compareTo(server.timeout()) < 0 ? timeMax : server.timeout();
    AtomicInteger number = new AtomicInteger();
    this.executor =
        Executors.newFixedThreadPool(
            publisher.threadCount(),
            task -> new Thread(task, "outledger-mail " + number.incrementAndGet()));
    this.deadlines =
        new ScheduledThreadPoolExecutor(1, task -> new Thread(task, "outledger-mail deadlines"));
    deadlines.setRemoveOnCancelPolicy(true);
    this.calls =
        new BlockingClient(executor, (position, attempt, message) -> send(message), outcomes);
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

  /** Reports the outcomes before it cuts the connections, so that no message is blamed for that. */
  @Override
  public void close() {
    calls.close();
    executor.shutdownNow();
    synchronized (this) {
      closed = true;
      open.forEach(MailConnection::cut);
      open.clear();
      idle.clear();
    }
    deadlines.shutdownNow();
  }

  private Outcome send(Message message) {
    OutgoingMail mail;
    try {
      mail = new OutgoingMail(publisher.from(), message, publisher.mapper().map(message));
      if (mail.size() > publisher.bytesMax()) {
        return tooLarge(mail, publisher.bytesMax());
      }
    } catch (InvalidMessageException e) {
      return Outcome.refused(String.valueOf(e.getMessage()));
    } catch (MessagingException | IOException e) {
      return Outcome.refused("the mail cannot be composed: " + e);
    }
    long until = time.nanoTime() + limit.toNanos();
    MailConnection kept = kept();
    Outcome outcome = kept == null ? null : sendOver(kept, mail, until);
    // The server may have closed an idle connection in the meantime.
    boolean isLineOver = outcome instanceof Outcome.Unavailable && !mail.isBegun();
    return outcome == null || isLineOver ? sendAnew(mail, until) : outcome;
  }

  /** Sends over a new connection. */
  private Outcome sendAnew(OutgoingMail mail, long until) {
    MailConnection connection = new MailConnection(server);
    if (!opened(connection)) {
      return Outcome.unavailable("the relay closed its publisher");
    }
    Future<?> deadline = deadline(connection, until);
    try {
      connection.open(millis());
    } catch (IOException | MessagingException e) {
      drop(connection);
      return Outcome.unreachable("cannot connect or log in to " + server + ": " + text(e));
    } finally {
      deadline.cancel(false);
    }
    return sendOver(connection, mail, until);
  }

  private Outcome sendOver(MailConnection connection, OutgoingMail mail, long until) {
    if (mail.size() > connection.bytesMax()) {
      keep(connection);
      return tooLarge(mail, connection.bytesMax());
    }
    Future<?> deadline = deadline(connection, until);
    try {
      connection.send(mail, millis());
      keep(connection);
      return Outcome.PUBLISHED;
    } catch (MessagingException e) {
      SmtpFailure answer = SmtpFailure.of(e);
      if (answer == null) {
        return lost(connection, mail, until, e);
      }
      if (answer.endsTheLine()) {
        drop(connection);
      } else {
        keep(connection);
      }
      return answer.outcome(server);
    } catch (IOException e) {
      return lost(connection, mail, until, e);
    } finally {
      deadline.cancel(false);
    }
  }

  /** Drops a connection that has failed, and returns the outcome of its mail. */
  private Outcome lost(MailConnection connection, OutgoingMail mail, long until, Exception e) {
    drop(connection);
    String reason = "no answer from " + server + ": " + text(e);
    if (!mail.isBegun()) {
      return Outcome.unreachable(reason);
    }
    boolean isLate = time.nanoTime() - until >= 0;
    return isLate ? Outcome.unanswered(late()) : Outcome.unavailable(reason);
  }

  private String late() {
    return server
        + " did not confirm the mail within "
        + Printable.span(limit)
        + ", and may have it; if it needs longer, raise its timeout ("
        + Printable.span(server.timeout())
        + "), and the relay's lease to more than twice that";
  }

  private static Outcome tooLarge(OutgoingMail mail, long max) {
    return Outcome.rejected(
        "the mail has "
            + mail.size()
            + " bytes, but the limit is "
            + max
            + "; make it smaller, or raise the limit");
  }

  /** Cuts the connection once its time is up: the library's timeouts are for single answers. */
  private Future<?> deadline(MailConnection connection, long until) {
    return deadlines.schedule(connection::cut, until - time.nanoTime(), TimeUnit.NANOSECONDS);
  }

  private int millis() {
    return Math.toIntExact(limit.toMillis());
  }

  private synchronized boolean opened(MailConnection connection) {
    return !closed && open.add(connection);
  }

  /**
   * Takes the idle connection that was used most recently; null if there is none, or if it has been
   * idle for too long.
   */
  private synchronized @Nullable MailConnection kept() {
    MailConnection connection = idle.pollFirst();
    if (connection != null && time.nanoTime() - connection.usedAt() > IDLE_MAX.toNanos()) {
      idle.addFirst(connection);
      idle.forEach(this::drop); // the others have been idle for even longer
      idle.clear();
      return null;
    }
    return connection;
  }

  private synchronized void keep(MailConnection connection) {
    connection.usedAt(time.nanoTime());
    if (open.contains(connection)) {
      idle.addFirst(connection);
    }
  }

  private synchronized void drop(MailConnection connection) {
    open.remove(connection);
    connection.cut();
  }

  private static String text(Exception e) {
    Throwable cause = Causes.root(e);
    return cause == e ? e.toString() : e.getMessage() + ": " + cause;
  }
}
