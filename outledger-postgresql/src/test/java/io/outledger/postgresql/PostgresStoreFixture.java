// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.Message;
import io.outledger.contracts.LedgerWriter;
import io.outledger.contracts.StoreFixture;
import io.outledger.jdbc.ParkedMessages;
import io.outledger.jdbc.Requests;
import io.outledger.jdbc.Subscriptions;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.HeaderText;
import io.outledger.store.PauseScope;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A ledger on a real PostgreSQL, written by plain SQL. */
final class PostgresStoreFixture implements StoreFixture {

  private final StoreDatabase database;
  private final List<AutoCloseable> open = new ArrayList<>();

  PostgresStoreFixture(StoreDatabase database) {
    this.database = database;
  }

  @Override
  public RelayStore open(String subscription, Start start) {
    RelayStore store = database.store(subscription, start);
    open.add(store);
    return store;
  }

  @Override
  public LedgerWriter begin() {
    try {
      Connection connection = database.connect();
      open.add(connection);
      connection.setAutoCommit(false);
      return new Writer(connection);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public LedgerWriter beginElsewhere() {
    Writer writer = (Writer) begin();
    writer.execute("SELECT pg_current_xact_id()");
    return writer;
  }

  @Override
  public void letPass(Duration time) {
    execute("SELECT pg_sleep(" + time.toMillis() / 1000.0 + ")");
  }

  @Override
  public void removeOldCursorRows(String subscription) {
    execute(
        """
        DELETE FROM outledger_cursor c
         WHERE subscription = '%1$s' AND n < (SELECT max(n) FROM outledger_cursor
                                               WHERE subscription = '%1$s')\
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
    Subscriptions.of(database.dataSource(), "public").move(subscription, start);
  }

  @Override
  public void skip(String subscription, Start start) {
    Subscriptions.of(database.dataSource(), "public").skip(subscription, start);
  }

  @Override
  public void delete(String subscription) {
    Subscriptions.of(database.dataSource(), "public").delete(subscription);
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
    return Requests.of(database.dataSource(), "public");
  }

  @Override
  public void emptyLedger() {
    execute("TRUNCATE outledger_message RESTART IDENTITY");
  }

  @Override
  public void makeUnreadable(long position) {
    execute("UPDATE outledger_message SET headers = 'a=%zz' WHERE position = " + position);
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private ParkedMessages parked(String subscription) {
    return ParkedMessages.of(database.dataSource(), "public", subscription);
  }

  private void execute(String sql) {
    try {
      database.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private record Writer(Connection connection) implements LedgerWriter {

    @Override
    public long append(Message message) {
      String sql =
          """
          INSERT INTO outledger_message
                 (time, id, version, topic, message_key, type, payload, headers)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING position\
          """;
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.setObject(1, message.time().atOffset(ZoneOffset.UTC));
        statement.setObject(2, message.id());
        statement.setInt(3, message.version());
        statement.setString(4, message.topic());
        statement.setString(5, message.key());
        statement.setString(6, message.type());
        statement.setBytes(7, message.payload());
        statement.setString(8, HeaderText.encode(message.headers()));
        try (ResultSet row = statement.executeQuery()) {
          row.next();
          return row.getLong(1);
        }
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void commit() {
      execute("COMMIT");
    }

    @Override
    public void rollback() {
      execute("ROLLBACK");
    }

    void execute(String sql) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(sql);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
