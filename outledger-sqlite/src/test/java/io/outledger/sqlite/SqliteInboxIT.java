// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.contracts.DatabaseFixture;
import io.outledger.contracts.InboxContract;
import io.outledger.contracts.InboxFixture;
import io.outledger.inbox.InboxId;
import io.outledger.inbox.InboxStore;
import io.outledger.jdbc.spi.InboxProof;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

final class SqliteInboxIT extends InboxContract<Connection> {

  @Override
  protected InboxFixture<Connection> openFixture() {
    return new Fixture();
  }

  private static final class Fixture implements InboxFixture<Connection> {

    private final TestSqlite database = TestSqlite.create();
    private final SqliteInbox table = new SqliteInbox(new Tables());
    private final Set<Connection> open = ConcurrentHashMap.newKeySet();

    @Override
    public InboxStore<Connection> store() {
      return this::insert;
    }

    private Set<InboxId> insert(Connection transaction, String consumer, Set<InboxId> ids) {
      if (ids.isEmpty()) {
        return Set.of();
      }
      try {
        return table.insert(transaction, consumer, ids).map(InboxProof::ids).orElse(Set.of());
      } catch (SQLException e) {
        throw new StoreException(ErrorCode.STORE_FAILED, String.valueOf(e.getMessage()), e);
      }
    }

    @Override
    public Connection begin() {
      try {
        Connection connection = database.connect();
        connection.setAutoCommit(false);
        open.add(connection);
        return connection;
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void commit(Connection transaction) {
      end(transaction, true);
    }

    @Override
    public void rollback(Connection transaction) {
      end(transaction, false);
    }

    private void end(Connection transaction, boolean commits) {
      open.remove(transaction);
      try (transaction) {
        if (commits) {
          transaction.commit();
        } else {
          transaction.rollback();
        }
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public DatabaseFixture.Writers writers() {
      return DatabaseFixture.Writers.ONE;
    }

    @Override
    public void close() throws SQLException {
      Set.copyOf(open).forEach(this::rollback);
      database.close();
    }
  }
}
