// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ErrorCode;
import io.outledger.OutledgerException;
import io.outledger.StoreException;
import io.outledger.inbox.InboxId;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.ErrorClass;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Tells an outage of the database from a handler that harms the session of its own transaction. A
 * message's inbox row is inserted before the work, in the same transaction: so the database took
 * writes just before the work failed. Thread-safe.
 *
 * <p>A session that is lost during the work may be an outage. If it is lost so many times in a row
 * with one message, and the database has taken its inbox row each time, the work ends it.
 */
final class SessionHarm {

  /** With how many lost sessions in a row a message is at fault. */
  static final int LOSSES_MAX = 5;

  private static final int MESSAGES_MAX = 1_000;
  private static final int ANSWER_SECONDS = 5;

  private final Database database;
  private final Map<InboxId, Integer> losses = new LinkedHashMap<>();

  /** The state of a transaction's own session after its work has failed. */
  private enum Session {
    /** It is as it was: what failed was on another connection. */
    INTACT,
    /** A statement of its transaction has failed. */
    FAILED,
    /** It has ended. */
    LOST
  }

  SessionHarm(Database database) {
    this.database = database;
  }

  /**
   * Returns what to throw for failed work: a failure that is an outage if the database serves no
   * handler now, so that no attempt is counted; else one that is not.
   *
   * @param own the connection of the work's transaction, on which the inbox row was inserted
   */
  Exception explain(Connection own, InboxId message, Exception thrown) {
    Exception explained = WorkFailure.of(database.errors(), thrown);
    boolean isOutage = explained instanceof OutledgerException ours && ours.code().isOutage();
    Optional<SQLException> answer = WorkFailure.answer(explained);
    if (!isOutage || answer.isEmpty()) {
      return explained;
    }
    return switch (database.errors().classOf(answer.get())) {
      case READ_ONLY ->
          sessionOf(own) == Session.FAILED ? madeReadOnly(answer.get(), thrown) : explained;
      case CONNECTION_LOST ->
          sessionOf(own) == Session.LOST && lost(message) >= LOSSES_MAX
              ? ended(answer.get(), thrown)
              : explained;
      default -> explained;
    };
  }

  /** Notes that the work has succeeded with a message. */
  synchronized void succeeded(InboxId message) {
    losses.remove(message);
  }

  private synchronized int lost(InboxId message) {
    int times = losses.merge(message, 1, Integer::sum);
    if (losses.size() > MESSAGES_MAX) {
      losses.remove(losses.keySet().iterator().next());
    }
    return times;
  }

  private Session sessionOf(Connection own) {
    try {
      if (!own.isValid(ANSWER_SECONDS)) {
        return Session.LOST;
      }
      database.transactionCheck().requireIntact(own);
      return Session.INTACT;
    } catch (SQLException e) {
      ErrorClass found = database.errors().classOf(e);
      return found.endsSession() ? Session.LOST : Session.FAILED;
    }
  }

  private static StoreException madeReadOnly(SQLException answer, Exception thrown) {
    return new StoreException(
        ErrorCode.STORE_FAILED,
        "a handler wrote after it had made its transaction read-only; the database is no standby:"
            + " it took the message's inbox row just before; have the handler leave the transaction"
            + " as it is: "
            + WorkFailure.said(answer),
        thrown);
  }

  private static StoreException ended(SQLException answer, Exception thrown) {
    return new StoreException(
        ErrorCode.STORE_FAILED,
        "a handler's database session ended "
            + LOSSES_MAX
            + " or more times in a row during its work on this message; the database is well: it"
            + " took the message's inbox row each time; find out which statement of the handler"
            + " ends the session, or how long it leaves it idle: "
            + WorkFailure.said(answer),
        thrown);
  }
}
