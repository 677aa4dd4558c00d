// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.handler.HandlerPublisher;
import io.outledger.relay.listener.RelayListener;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.RelayOptions;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** Handlers beside a database: their effects are rows of a table. */
final class DatabaseHandlers implements HandlersFixture {

  private static final AtomicLong EFFECTS = new AtomicLong();

  private final DatabaseFixture fixture;
  private final Outledger outledger;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  DatabaseHandlers(DatabaseFixture fixture) {
    this.fixture = fixture;
    fixture.database().schema().apply(fixture.dataSource());
    execute("CREATE TABLE contract_effect (number BIGINT, what VARCHAR(100))");
    this.outledger = Outledger.builder(fixture.dataSource()).withoutRetention().build();
  }

  @Override
  public void append(Message message) {
    outledger.outbox().inNewTransaction(message);
  }

  @Override
  public DatabaseFixture.Writers writers() {
    return fixture.writers();
  }

  @Override
  public void emptyLedger() {
    fixture.emptyLedger();
  }

  @Override
  public void moveAndProcessAgain() {
    outledger.subscriptions().moveAndProcessAgain(SUBSCRIPTION, Start.EARLIEST);
  }

  @Override
  public void retryDeadLetters() {
    outledger.parkedMessages(SUBSCRIPTION).retryAll();
  }

  @Override
  public RunningRelay start(
      List<Handler> handlers, RelayOptions.Builder options, RelayListener listener) {
    RelayBuilder relay = outledger.relay(SUBSCRIPTION).listener(listener);
    RelayOptions built = options.build();
    relay.options(
        ours -> ours.lease(built.lease()).saveWait(built.saveWait()).retry(built.retry()));
    for (Handler handler : handlers) {
      relay.to(
          handler.route(),
          Accepts.everything(),
          new HandlerPublisher(
              handler.route(),
              outledger
                  .inbox(handler.consumer())
                  .handler(
                      SUBSCRIPTION,
                      (connection, message) ->
                          handler.work().run(message, what -> add(connection, what))),
              threads));
    }
    return relay.start();
  }

  private static void add(Connection connection, String what) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO contract_effect (number, what) VALUES (?, ?)")) {
      statement.setLong(1, EFFECTS.incrementAndGet());
      statement.setString(2, what);
      statement.executeUpdate();
    }
  }

  @Override
  public List<String> effects() {
    List<String> effects = new ArrayList<>();
    try (Connection connection = fixture.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT what FROM contract_effect ORDER BY number")) {
      while (rows.next()) {
        effects.add(rows.getString(1));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return effects;
  }

  private void execute(String sql) {
    try (Connection connection = fixture.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws Exception {
    outledger.close();
    threads.shutdownNow();
    fixture.close();
  }
}
