// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import javax.sql.ConnectionEvent;
import javax.sql.ConnectionEventListener;
import javax.sql.PooledConnection;
import org.postgresql.ds.PGConnectionPoolDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * An application's pool, as small as can be: a closed connection is kept open for the next one who
 * asks. Thread-safe.
 */
final class SmallPool extends PGSimpleDataSource implements AutoCloseable {

  private final transient ConcurrentLinkedDeque<PooledConnection> idle =
      new ConcurrentLinkedDeque<>();
  private final transient PGConnectionPoolDataSource source = new PGConnectionPoolDataSource();

  SmallPool(String jdbcUrl) {
    source.setURL(jdbcUrl);
  }

  @Override
  public Connection getConnection() throws SQLException {
    PooledConnection pooled = idle.pollLast();
    if (pooled == null) {
      pooled = source.getPooledConnection();
      pooled.addConnectionEventListener(new Return());
    }
    return pooled.getConnection();
  }

  /** Closes what is idle; nothing may be in use any more. */
  @Override
  public void close() throws SQLException {
    for (PooledConnection pooled = idle.poll(); pooled != null; pooled = idle.poll()) {
      pooled.close();
    }
  }

  private final class Return implements ConnectionEventListener {

    @Override
    public void connectionClosed(ConnectionEvent event) {
      idle.add((PooledConnection) event.getSource());
    }

    @Override
    public void connectionErrorOccurred(ConnectionEvent event) {
      idle.remove((PooledConnection) event.getSource());
    }
  }
}
