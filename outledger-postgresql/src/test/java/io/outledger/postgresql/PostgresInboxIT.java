// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.contracts.InboxContract;
import io.outledger.contracts.InboxFixture;
import io.outledger.inbox.InboxStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

final class PostgresInboxIT extends InboxContract<Connection> {

  private static final TestDatabase DATABASE = TestDatabase.create();

  @Override
  protected InboxFixture<Connection> openFixture() {
    DATABASE.execute("TRUNCATE outledger_inbox");
    return new Fixture();
  }

  private static final class Fixture implements InboxFixture<Connection> {

    private final InboxStore<Connection> store = new InboxOfTables();
    private final Set<Connection> open = ConcurrentHashMap.newKeySet();

    @Override
    public InboxStore<Connection> store() {
      return store;
    }

    @Override
    public Connection begin() {
      try {
        Connection connection = DATABASE.begin();
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
    public void close() {
      Set.copyOf(open).forEach(this::rollback);
    }
  }
}
