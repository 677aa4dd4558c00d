// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.inbox.Inbox;
import io.outledger.inbox.InboxId;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.RedactedSqlException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells an outage of the database from a handler that harms the session of its own transaction. A
 * message's inbox row is inserted before the work, in the same transaction: so the database took
 * writes just before the work failed. Thread-safe.
 *
 * <p>What looks like an outage may be one: a session that is lost during the work or its commit, or
 * a statement that the server could not carry out. If one message meets it so many times in a row,
 * and the database has taken its inbox row each time, the work is at fault. A connection to another
 * database that is lost is never counted, nor is a full disk, which does hold up all others.
 *
 * <p>The relay's rule, by which a message is to blame where others get through, cannot replace
 * this: it decides nothing where no other message waits, and a receiver may have just this one. The
 * inbox row is proof without others, and only this transaction knows of it.
 */
final class SessionHarm {

  /** With how many outages in a row a message is at fault. */
  static final int OUTAGES_MAX = 5;

  /** No receiver holds more messages that wait for their next attempt, so all of them count. */
  private static final int MESSAGES_MAX = 10_000;

  private static final int ANSWER_SECONDS = 5;

  private final Database database;

  /** Those that were met last are at the end. */
  private final Map<InboxId, Integer> outages = new LinkedHashMap<>(16, 0.75f, true);

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
   * Does work behind the inbox row of a message, and explains what it throws.
   *
   * @param own the connection of the work's transaction, on which the inbox row was inserted
   */
  void watched(Connection own, InboxId message, Inbox.Work<Exception> work) throws Exception {
    try {
      work.run();
    } catch (Exception e) {
      throw explain(own, message, e);
    }
    requireNothingCaught(own, message);
  }

  // Else what comes next, such as the commit, would fail without a word on why.
  private void requireNothingCaught(Connection own, InboxId message) {
    SQLException met = metOn(own);
    if (met == null) {
      return;
    }
    try {
      database.transactionBounds().requireIntact(own);
    } catch (SQLException e) {
      if (database.errors().classOf(e) == ErrorClass.TRANSACTION_FAILED) {
        acquit(message);
        throw caught(met);
      }
      // Else the commit meets it as well, and says it.
    }
  }

  /** Returns what to throw for a transaction that did not begin. */
  Exception explainBegin(Exception thrown) {
    return WorkFailure.of(database.errors(), thrown);
  }

  /**
   * Returns what to throw for an inbox row that could not be inserted. The server may still carry
   * out the former attempt, whose client has given up: that session keeps the row. Only where the
   * database answers over another connection does it count, and only behind a counted attempt.
   */
  Exception explainInsert(InboxId message, Exception thrown, BooleanSupplier databaseAnswers) {
    Optional<SQLException> answer = WorkFailure.answer(thrown);
    boolean isLost =
        answer.isPresent() && database.errors().classOf(answer.get()) == ErrorClass.CONNECTION_LOST;
    return isLost && isCounted(message) && databaseAnswers.getAsBoolean()
        ? counted(message, answer.get(), thrown)
        : thrown;
  }

  /**
   * Returns what to throw for failed work: a failure that is an outage if the database serves no
   * handler now, so that no attempt is counted; else one that is not.
   */
  private Exception explain(Connection own, InboxId message, Exception thrown) {
    Exception explained = WorkFailure.of(database.errors(), thrown);
    Optional<SQLException> answer = WorkFailure.answer(explained);
    if (!WorkFailure.isOutage(explained)) {
      acquit(message); // its next outage is none in a row with those before
      return explained;
    }
    if (answer.isEmpty()) {
      return explained;
    }
    Session session = sessionOf(own, isMetOn(own, answer.get()));
    return switch (database.errors().classOf(answer.get())) {
      case READ_ONLY -> session == Session.FAILED ? madeReadOnly(answer.get(), thrown) : explained;
      case CONNECTION_LOST ->
          session == Session.INTACT ? explained : counted(message, answer.get(), explained);
      case SERVER_FAILED, LIMIT_EXCEEDED ->
          session == Session.INTACT && isWatched(own)
              ? explained
              : counted(message, answer.get(), explained);
      default -> explained;
    };
  }

  /**
   * Returns what to throw for a commit that failed after the work had succeeded, as for failed
   * work.
   */
  Exception explainCommit(InboxId message, Exception thrown) {
    Exception explained = WorkFailure.ofCommit(database.errors(), thrown);
    if (!WorkFailure.isOutage(explained)) {
      acquit(message);
      return explained;
    }
    Optional<SQLException> answer = WorkFailure.answerToCommit(explained);
    return answer.isPresent() ? counted(message, answer.get(), explained) : explained;
  }

  /** Says whether a transaction that is still there has lost its session, or can only roll back. */
  boolean isHarmed(Connection own) {
    return sessionOf(own, false) != Session.INTACT;
  }

  /** Returns what to throw for a failed commit of which no work is to blame: nothing is counted. */
  Exception explainBlamelessCommit(Exception thrown) {
    return WorkFailure.ofCommit(database.errors(), thrown);
  }

  /**
   * Forgets the outages of a message, which are no more in a row: its work has taken effect, has
   * failed otherwise, or was ended from outside.
   */
  synchronized void acquit(InboxId message) {
    outages.remove(message);
  }

  private synchronized boolean isCounted(InboxId message) {
    return outages.containsKey(message);
  }

  private Exception counted(InboxId message, SQLException answer, Exception outage) {
    return database.errors().classOf(answer) != ErrorClass.DISK_FULL && met(message) >= OUTAGES_MAX
        ? harmed(answer, outage)
        : outage;
  }

  private synchronized int met(InboxId message) {
    int times = outages.merge(message, 1, Integer::sum);
    if (outages.size() > MESSAGES_MAX) {
      outages.remove(outages.keySet().iterator().next());
    }
    return times;
  }

  /**
   * Returns the state of the session. A transaction goes on after a failed statement where that was
   * undone to a savepoint, also one of the driver's, and with H2 always.
   *
   * @param isOfThis whether a statement is known to have failed on this connection
   */
  private Session sessionOf(Connection own, boolean isOfThis) {
    try {
      if (!own.isValid(ANSWER_SECONDS)) {
        return Session.LOST;
      }
      database.transactionBounds().requireIntact(own);
      return isOfThis ? Session.FAILED : Session.INTACT;
    } catch (SQLException e) {
      ErrorClass found = database.errors().classOf(e);
      return found.endsSession() ? Session.LOST : Session.FAILED;
    }
  }

  /**
   * Returns whether what fails on a connection is known. A framework's is not ours: a failure there
   * may have been undone to a savepoint, which leaves no trace.
   */
  private static boolean isWatched(Connection own) {
    return own instanceof GuardedConnection;
  }

  // Outledger's own exception has a copy of the driver's, without what quotes rows.
  private static boolean isMetOn(Connection own, SQLException answer) {
    SQLException met = metOn(own);
    return met != null
        && Objects.equals(met.getSQLState(), answer.getSQLState())
        && RedactedSqlException.firstLine(met).equals(RedactedSqlException.firstLine(answer));
  }

  private static @Nullable SQLException metOn(Connection own) {
    return own instanceof GuardedConnection guarded ? guarded.running().met() : null;
  }

  private static StoreException caught(SQLException met) {
    return new StoreException(
        ErrorCode.STORE_FAILED,
        "a statement of the handler failed, and the handler caught that, but the transaction can"
            + " only be rolled back; let the exception propagate, or set a savepoint before the"
            + " statement: "
            + WorkFailure.said(met),
        RedactedSqlException.of(met));
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

  private static StoreException harmed(SQLException answer, Exception outage) {
    return new StoreException(
        ErrorCode.STORE_FAILED,
        "a handler's database session ended or failed "
            + OUTAGES_MAX
            + " or more times in a row during its work on this message; the database is well: it"
            + " took the message's inbox row, or answered otherwise; find out which statement of"
            + " the handler does it, or how long it leaves the session idle: "
            + WorkFailure.said(answer),
        outage);
  }
}
