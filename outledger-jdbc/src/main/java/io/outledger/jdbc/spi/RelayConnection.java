// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.ConfigurationException;
import io.outledger.Require;
import io.outledger.StoreException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The one connection of a relay's store. It is opened by the first call, closed after any failure,
 * and opened again by the next call. Used by one thread.
 *
 * @param <S> the database module's session, over that connection
 */
public final class RelayConnection<S extends RelayConnection.Session> {

  /** A connection in use, with all that belongs to it. */
  public interface Session extends AutoCloseable {

    /**
     * Closes the connection, in the state in which a pool expects it back.
     *
     * @throws SQLException if that failed; the connection is closed as far as possible
     */
    @Override
    void close() throws SQLException;

    /**
     * Closes the connection after the database has reported an error. What goes wrong meanwhile is
     * added to the failure as suppressed.
     */
    default void closeAfter(Throwable failure) {
      Require.nonNull("failure", failure);
      try {
        close();
      } catch (SQLException e) {
        failure.addSuppressed(e);
      }
    }

    /**
     * Ends the connection where it stands, after a failure that was not the database's: the driver
     * may be in the middle of an answer, and must not take the rest of it for the next one. What
     * goes wrong meanwhile is added to the failure as suppressed.
     */
    void abortAfter(Throwable failure);
  }

  /**
   * Opens a session.
   *
   * @param <S> the session
   */
  @FunctionalInterface
  public interface Opening<S> {

    /**
     * Opens it; where that fails, nothing stays open.
     *
     * @throws SQLException if the database cannot be reached, or does not answer as it should
     */
    S open() throws SQLException;
  }

  /**
   * What is asked over a session.
   *
   * @param <S> the session
   * @param <T> the answer
   */
  @FunctionalInterface
  public interface Query<S, T> {

    /**
     * Asks it.
     *
     * @throws SQLException if the database failed
     */
    T on(S session) throws SQLException;
  }

  /**
   * What is done over a session.
   *
   * @param <S> the session
   */
  @FunctionalInterface
  public interface Command<S> {

    /**
     * Does it.
     *
     * @throws SQLException if the database failed
     */
    void on(S session) throws SQLException;
  }

  private final Opening<S> opening;
  private final SqlErrors errors;
  private @Nullable S session;

  /**
   * Creates it, without I/O.
   *
   * @throws ConfigurationException {@code OUT-021} if something is null
   */
  public RelayConnection(Opening<S> opening, SqlErrors errors) {
    this.opening = Require.nonNull("opening", opening);
    this.errors = Require.nonNull("errors", errors);
  }

  /**
   * Asks the database over the connection, which is opened where there is none.
   *
   * @param doing what is being done, for the error's text, such as {@code saving the cursor}
   * @return the answer
   * @throws StoreException {@code OUT-016} or {@code OUT-027} if the database failed; the
   *     connection is closed
   * @throws ConfigurationException as the query throws it; the connection stays open, because the
   *     database was asked, and has answered
   */
  public <T> T call(String doing, Query<? super S, T> query) {
    Require.nonNull("doing", doing);
    Require.nonNull("query", query);
    S current = session;
    try {
      if (current == null) {
        current = opening.open();
        session = current;
      }
      return query.on(current);
    } catch (SQLException e) {
      session = null;
      if (current != null) {
        current.closeAfter(e);
      }
      throw StoreFailure.of(errors, doing, e);
    } catch (ConfigurationException e) {
      throw e;
    } catch (Throwable e) {
      session = null;
      if (current != null) {
        current.abortAfter(e);
      }
      throw e;
    }
  }

  /**
   * Does something over the connection; otherwise like {@link #call}.
   *
   * @throws StoreException as {@link #call} does
   */
  public void run(String doing, Command<? super S> command) {
    Require.nonNull("command", command);
    call(
        doing,
        current -> {
          command.on(current);
          return doing;
        });
  }

  /**
   * Closes the connection, where there is one. The next call opens another.
   *
   * @throws StoreException {@code OUT-016} or {@code OUT-027} if that failed
   */
  public void close() {
    S closing = session;
    session = null;
    if (closing == null) {
      return;
    }
    try {
      closing.close();
    } catch (SQLException e) {
      throw StoreFailure.of(errors, "closing the relay's connection", e);
    }
  }
}
