// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.Message;
import io.outledger.contracts.LedgerWriter;
import io.outledger.contracts.StoreFixture;
import io.outledger.jdbc.ParkedMessages;
import io.outledger.jdbc.Requests;
import io.outledger.jdbc.Subscriptions;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.sql.Sql;
import io.outledger.store.PauseScope;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A ledger on a real server. */
final class MySqlStoreFixture implements StoreFixture {

  private final TestDatabase database;
  private final List<AutoCloseable> open = new ArrayList<>();

  MySqlStoreFixture(TestDatabase empty) {
    this.database = empty.withTables();
  }

  @Override
  public RelayStore open(String subscription, Start start) {
    RelayStore store = database.store(subscription, start);
    open.add(store);
    return store;
  }

  @Override
  public LedgerWriter begin() {
    return new Writer(connection(), database.tables());
  }

  @Override
  public LedgerWriter beginElsewhere() {
    database.execute("CREATE TABLE IF NOT EXISTS elsewhere (n INTEGER)");
    Connection connection = connection();
    try {
      Sql.in(database.tables(), connection, "INSERT INTO elsewhere VALUES (1)").update();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return new Writer(connection, database.tables());
  }

  private Connection connection() {
    try {
      Connection connection = database.connect();
      open.add(connection);
      connection.setAutoCommit(false);
      return connection;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void letPass(Duration time) {
    String earlier = "TIMESTAMPADD(MICROSECOND, -1000 * %d, %s)";
    database.execute(
        "UPDATE {schema}.outledger_cursor SET lease_until = "
            + earlier.formatted(time.toMillis(), "lease_until"));
    database.execute(
        "UPDATE {schema}.outledger_parked SET next_attempt_at = "
            + earlier.formatted(time.toMillis(), "next_attempt_at"));
  }

  @Override
  public void removeOldCursorRows(String subscription) {
    database.execute(
        """
        DELETE c FROM {schema}.outledger_cursor c
          JOIN (SELECT MAX(n) AS n FROM {schema}.outledger_cursor
                 WHERE subscription = '%1$s') newest
         WHERE c.subscription = '%1$s' AND c.n < newest.n\
        """
            .formatted(subscription));
  }

  @Override
  public void requestRetry(String subscription, long position, String route) {
    parked(subscription).retry(position, route);
  }

  @Override
  public void requestDiscard(String subscription, long position, String route) {
    parked(subscription).discard(position, route);
  }

  @Override
  public void move(String subscription, Start start) {
    Subscriptions.of(database.dataSource(), database.tables().schema()).move(subscription, start);
  }

  @Override
  public void skip(String subscription, Start start) {
    Subscriptions.of(database.dataSource(), database.tables().schema()).skip(subscription, start);
  }

  @Override
  public void delete(String subscription) {
    Subscriptions.of(database.dataSource(), database.tables().schema()).delete(subscription);
  }

  @Override
  public void pause(String subscription, PauseScope scope, String by, String reason) {
    requests().ask(new Verb.Pause(subscription, scope).by(by, reason));
  }

  @Override
  public void resume(String subscription, PauseScope scope) {
    requests().ask(new Verb.Resume(subscription, scope).by("a test", "it goes on"));
  }

  @Override
  public void erase(UUID id) {
    requests().ask(Verb.Erase.message(id).by("a test", "a person asked for it"));
  }

  @Override
  public void replay(String subscription, String route, long from, long to) {
    ReplayRange range = ReplayRange.positions(from, to);
    requests()
        .ask(
            new Verb.Replay(subscription, route, range, Pace.UNLIMITED)
                .by("a test", "they were lost"));
  }

  private Requests requests() {
    return Requests.of(database.dataSource(), database.tables().schema());
  }

  @Override
  public void emptyLedger() {
    database.execute("DELETE FROM {schema}.outledger_message");
    database.execute("ALTER TABLE {schema}.outledger_message AUTO_INCREMENT = 1");
  }

  @Override
  public void makeUnreadable(long position) {
    database.execute(
        "UPDATE {schema}.outledger_message SET headers = 'a=%zz' WHERE position = " + position);
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
    database.close();
  }

  private ParkedMessages parked(String subscription) {
    return ParkedMessages.of(database.dataSource(), database.tables().schema(), subscription);
  }

  private record Writer(Connection connection, Tables tables) implements LedgerWriter {

    @Override
    public long append(Message message) {
      try {
        new AppendStatement(tables).append(connection, List.of(message));
        return Sql.in(
                tables,
                connection,
                "SELECT MAX(m.position) FROM {schema}.outledger_message m WHERE m.id = ?",
                message.id())
            .number();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void commit() {
      try {
        connection.commit();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void rollback() {
      try {
        connection.rollback();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
