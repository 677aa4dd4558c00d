// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A data source with every default that could harm a transaction of ours: the database's, for
 * whoever connects, and the connection's own, as a pool sets them. It notes what comes back
 * changed.
 */
final class HostilePool extends PGSimpleDataSource {

  private static final long serialVersionUID = 1;

  /** Longer than any of our statements takes, and less than what they may have to wait. */
  static final int PATIENCE_MILLIS = 400;

  private static final String SETTINGS =
      """
      SELECT string_agg(name || '=' || setting, ', ' ORDER BY name) FROM pg_catalog.pg_settings
       WHERE name IN ('default_transaction_isolation', 'default_transaction_read_only',
                      'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout',
                      'transaction_timeout', 'search_path', 'row_security', 'synchronous_commit',
                      'application_name', 'jit', 'enable_seqscan')\
      """;

  private final int isolation;
  private final boolean autoCommit;
  private final transient Queue<String> changed = new ConcurrentLinkedQueue<>();

  private HostilePool(StoreDatabase database, int isolation, boolean autoCommit) {
    this.isolation = isolation;
    this.autoCommit = autoCommit;
    setURL(database.server().jdbcUrl(database.name()));
  }

  /** Makes the database hostile to whoever connects, and a pool that is so as well. */
  static HostilePool of(StoreDatabase database, int isolation, boolean autoCommit)
      throws SQLException {
    for (String setting :
        List.of(
            "default_transaction_isolation = 'repeatable read'",
            "statement_timeout = " + PATIENCE_MILLIS,
            "lock_timeout = " + PATIENCE_MILLIS,
            "idle_in_transaction_session_timeout = " + PATIENCE_MILLIS)) {
      database.execute("ALTER DATABASE %s SET %s".formatted(database.name(), setting));
    }
    if (database.number("SHOW server_version_num") >= 170_000) {
      database.execute(
          "ALTER DATABASE %s SET transaction_timeout = %d"
              .formatted(database.name(), PATIENCE_MILLIS));
    }
    database.execute(
        "ALTER DATABASE %s SET default_transaction_read_only = on".formatted(database.name()));
    return new HostilePool(database, isolation, autoCommit);
  }

  /** Returns how connections came back that came back otherwise than they went. */
  List<String> changed() {
    return List.copyOf(changed);
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection connection = super.getConnection();
    connection.setTransactionIsolation(isolation);
    connection.setReadOnly(true);
    connection.setAutoCommit(autoCommit);
    String before = state(connection);
    return (Connection)
        Proxy.newProxyInstance(
            HostilePool.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close") && !connection.isClosed()) {
                String after = state(connection);
                if (!after.equals(before)) {
                  changed.add(before + " became " + after);
                }
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
            });
  }

  private static String state(Connection connection) throws SQLException {
    String modes =
        connection.getAutoCommit()
            + ", read-only "
            + connection.isReadOnly()
            + ", network "
            + connection.getNetworkTimeout();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(SETTINGS)) {
      row.next();
      return "auto-commit " + modes + ", " + row.getString(1);
    } finally {
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
    }
  }
}
