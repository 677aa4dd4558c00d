// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Given;
import io.outledger.StoreException;
import io.outledger.UnknownName;
import io.outledger.jdbc.admin.ParkedReceipt;
import io.outledger.jdbc.admin.ParkedRequest;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.ReceivedTable;
import io.outledger.jdbc.spi.ReceivedTable.Page;
import io.outledger.jdbc.spi.ReceivedTable.Request;
import io.outledger.store.ParkedState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Administers what a consumer has received and parked: list, retry, discard. It only records a
 * request; a running receiver of the consumer carries it out within about a second. Once the {@link
 * Outledger} it comes from is closed, everything fails with a {@link StoreException} {@code
 * OUT-026}. Thread-safe.
 *
 * <p>A consumer is known if this {@link Outledger} has made a handler for it, or once it has
 * processed or parked a message in this schema.
 */
public final class ParkedReceipts {

  private static final String USE = "administer parked messages";
  private static final int REQUESTS_A_STEP = 1000;

  private final Database database;
  private final JdbcTransactions transactions;
  private final String consumer;
  private final Set<String> handled;
  private final Life life;

  /**
   * Makes it.
   *
   * @param handled the consumers for which this process has a handler
   */
  ParkedReceipts(
      Database database,
      JdbcTransactions transactions,
      String consumer,
      Set<String> handled,
      Life life) {
    this.database = database;
    this.transactions = transactions;
    this.consumer = consumer;
    this.handled = handled;
    this.life = life;
  }

  /**
   * Returns the selected messages, in order of their numbers.
   *
   * @param above only those with numbers above this one, for the next page; 0 at first
   * @param limit at most this many; 1 or more
   * @throws ConfigurationException {@code OUT-021} if the limit is below 1, or the selection names
   *     a route, which a receiver has not; {@code OUT-025} if there is no such consumer
   * @throws StoreException if the database failed
   */
  public List<ParkedReceipt> list(ParkedSelection selection, long above, int limit) {
    check(selection);
    if (limit < 1) {
      throw invalid("limit is " + limit + " but must be 1 or more");
    }
    Page page = new Page(above, Long.MAX_VALUE, limit);
    List<ParkedReceipt> found =
        in("list", connection -> table().list(connection, consumer, selection, page));
    if (found.isEmpty()) {
      requireKnown();
    }
    return found;
  }

  /**
   * Requests an immediate retry of a dead or retrying message: one more attempt.
   *
   * @return whether there was one; a held message follows the one that it is held behind
   * @throws ConfigurationException {@code OUT-025} if there is no such consumer
   * @throws StoreException if the database failed
   */
  public boolean retry(long number) {
    return request(new Request(ParkedRequest.RETRY, ParkedSelection.ALL), number);
  }

  /** Requests that a dead or retrying message be discarded permanently. */
  public boolean discard(long number) {
    return request(new Request(ParkedRequest.DISCARD, ParkedSelection.ALL), number);
  }

  /**
   * Requests an immediate retry of all selected messages that are dead or retrying, a thousand in
   * each transaction.
   *
   * @return the number of requests recorded
   * @throws ConfigurationException {@code OUT-021} if held messages or a route are selected; {@code
   *     OUT-025} if there is no such consumer
   * @throws StoreException if the database failed; some requests may have been recorded
   */
  public int retry(ParkedSelection selection) {
    return request(ParkedRequest.RETRY, selection);
  }

  /** Requests that all selected messages that are dead or retrying be discarded permanently. */
  public int discard(ParkedSelection selection) {
    return request(ParkedRequest.DISCARD, selection);
  }

  private boolean request(Request request, long number) {
    Page one = new Page(number - 1, number, 1);
    boolean isThere =
        !in("change", connection -> table().request(connection, consumer, request, one)).isEmpty();
    if (!isThere) {
      requireKnown();
    }
    return isThere;
  }

  private int request(ParkedRequest what, ParkedSelection selection) {
    check(selection);
    if (selection.state() == ParkedState.HELD) {
      throw invalid(
          "held messages cannot be retried or discarded: each follows the parked message ahead of"
              + " it; select dead or retrying messages");
    }
    Request request = new Request(what, selection);
    int count = 0;
    long above = 0;
    List<Long> step;
    do {
      Page page = new Page(above, Long.MAX_VALUE, REQUESTS_A_STEP);
      step = in("change", connection -> table().request(connection, consumer, request, page));
      count += step.size();
      above = step.isEmpty() ? above : step.get(step.size() - 1);
    } while (step.size() == REQUESTS_A_STEP);
    if (count == 0) {
      requireKnown();
    }
    return count;
  }

  private void requireKnown() {
    if (handled.contains(consumer)) {
      return;
    }
    Set<String> known = in("look for", connection -> table().consumers(connection));
    if (!known.contains(consumer)) {
      throw UnknownName.consumer(consumer, known);
    }
  }

  private static void check(@Nullable ParkedSelection selection) {
    if (Given.check("selection", selection).route() != null) {
      throw invalid("a receiver has no routes; leave the route out of the selection");
    }
  }

  private static ConfigurationException invalid(String text) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, text);
  }

  private ReceivedTable table() {
    return database.received();
  }

  /** What is done in a transaction. */
  private interface Step<R> {
    R on(Connection connection) throws SQLException;
  }

  private <R> R in(String doing, Step<R> step) {
    life.require(USE);
    return transactions.callNew(
        connection -> {
          try {
            return step.on(connection);
          } catch (SQLException e) {
            throw WriteFailure.of(
                database.errors(), e, doing + " parked messages of consumer " + consumer);
          }
        });
  }
}
