// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

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

/** A ledger on a real H2. */
final class H2StoreFixture implements StoreFixture {

  private final TestH2 database = TestH2.create();
  private final List<AutoCloseable> open = new ArrayList<>();

  @Override
  public RelayStore open(String subscription, Start start) {
    RelayStore store = database.store(subscription, start);
    open.add(store);
    return store;
  }

  @Override
  public LedgerWriter begin() {
    return new Writer(connection());
  }

  @Override
  public LedgerWriter beginElsewhere() {
    database.execute("CREATE TABLE IF NOT EXISTS elsewhere (n INTEGER)");
    Connection connection = connection();
    try {
      Sql.of(connection, "INSERT INTO elsewhere VALUES (1)").update();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return new Writer(connection);
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
    for (String column : List.of("lease_until")) {
      database.execute(
          "UPDATE outledger_cursor SET %1$s = DATEADD(MILLISECOND, -%2$d, %1$s)"
              .formatted(column, time.toMillis()));
    }
    database.execute(
        "UPDATE outledger_parked SET next_attempt_at = DATEADD(MILLISECOND, -%d, next_attempt_at)"
            .formatted(time.toMillis()));
  }

  @Override
  public void removeOldCursorRows(String subscription) {
    database.execute(
        """
        DELETE FROM outledger_cursor
         WHERE subscription = '%1$s' AND n < (SELECT MAX(c.n) FROM outledger_cursor c
                                               WHERE c.subscription = '%1$s')\
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
    Subscriptions.of(database.dataSource(), "PUBLIC").move(subscription, start);
  }

  @Override
  public void skip(String subscription, Start start) {
    Subscriptions.of(database.dataSource(), "PUBLIC").skip(subscription, start);
  }

  @Override
  public void delete(String subscription) {
    Subscriptions.of(database.dataSource(), "PUBLIC").delete(subscription);
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
    return Requests.of(database.dataSource(), "PUBLIC");
  }

  @Override
  public void emptyLedger() {
    database.execute("DELETE FROM outledger_message");
    database.execute("ALTER SEQUENCE outledger_message_position RESTART WITH 1");
  }

  @Override
  public void makeUnreadable(long position) {
    database.execute("UPDATE outledger_message SET headers = 'a=%zz' WHERE position = " + position);
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
    database.close();
  }

  private ParkedMessages parked(String subscription) {
    return ParkedMessages.of(database.dataSource(), "PUBLIC", subscription);
  }

  private record Writer(Connection connection) implements LedgerWriter {

    @Override
    public long append(Message message) {
      try {
        new AppendStatement(new Tables(Tables.DEFAULT_SCHEMA)).append(connection, List.of(message));
        return Sql.of(
                connection,
                "SELECT MAX(position) FROM outledger_message WHERE id = ?",
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
