// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.StoreException;
import io.outledger.jdbc.Outledger;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sqlite.SQLiteConfig.TransactionMode;
import org.sqlite.SQLiteDataSource;

/**
 * Whoever waits for the lock in vain gives back a connection as it came: the driver would take it
 * for one in a transaction, and each statement of whoever gets it next would commit by itself.
 */
class SqliteLockTimeOutIT {

  private static final Message MESSAGE = Message.to("t", "t").build();

  @ParameterizedTest
  @EnumSource(
      value = TransactionMode.class,
      names = {"DEFERRED", "IMMEDIATE"})
  void connectionIsTransactionalAgain(TransactionMode mode) throws SQLException {
    try (TestSqlite database = TestSqlite.create();
        Connection holder = database.connect()) {
      PoolOfOne pool = new PoolOfOne(database, mode);
      try (Outledger outledger = Outledger.builder(pool).build()) {
        execute(holder, "BEGIN IMMEDIATE");
        assertThatThrownBy(() -> outledger.outbox().inNewTransaction(MESSAGE))
            .isInstanceOf(StoreException.class);
        execute(holder, "ROLLBACK");

        Connection next = pool.getConnection();
        assertThat(next.getAutoCommit()).isTrue();
        next.setAutoCommit(false);
        outledger.outbox().append(next, MESSAGE);
        next.rollback();
        next.setAutoCommit(true);
        assertThat(messages(holder)).isZero();
        outledger.outbox().inNewTransaction(MESSAGE);
        assertThat(messages(holder)).isEqualTo(1);
      }
      pool.end();
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static int messages(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        var row = statement.executeQuery("SELECT COUNT(*) FROM outledger_message")) {
      assertThat(row.next()).isTrue();
      return row.getInt(1);
    }
  }

  /** Lends one connection again and again, as it was given back. */
  private static final class PoolOfOne extends SQLiteDataSource {

    private static final int WAIT_MILLIS = 10;

    private final Connection connection;
    private final Connection lent;

    private PoolOfOne(TestSqlite database, TransactionMode mode) throws SQLException {
      setUrl("jdbc:sqlite:" + database.file());
      getConfig().setBusyTimeout(WAIT_MILLIS);
      getConfig().setTransactionMode(mode);
      connection = super.getConnection();
      lent =
          (Connection)
              Proxy.newProxyInstance(
                  getClass().getClassLoader(),
                  new Class<?>[] {Connection.class},
                  (proxy, method, arguments) -> {
                    try {
                      return method.getName().equals("close")
                          ? null
                          : method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                      throw e.getTargetException();
                    }
                  });
    }

    @Override
    public Connection getConnection() {
      return lent;
    }

    private void end() throws SQLException {
      connection.close();
    }
  }
}
