// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.RedactedSqlException;
import io.outledger.jdbc.spi.SagaTable;
import io.outledger.saga.SagaId;
import io.outledger.saga.SagaRow;
import io.outledger.saga.SagaStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The sagas in the transaction of a connection. For one thread. */
final class SagaRows implements SagaStore {

  private final Database database;
  private final SagaTable table;
  private final Connection connection;

  SagaRows(Database database, Connection connection) {
    this.database = database;
    this.table = database.sagas();
    this.connection = connection;
  }

  @Override
  public Optional<SagaRow> find(SagaId id) {
    try {
      OpenTransaction.require(connection, "run a step of saga " + id.saga());
      return table.find(connection, id);
    } catch (SQLException e) {
      throw WriteFailure.of(database.errors(), e, "read saga " + id.saga());
    }
  }

  @Override
  public void insert(SagaRow row) {
    try {
      table.insert(connection, row);
    } catch (SQLException e) {
      if (database.errors().classOf(e) == ErrorClass.DUPLICATE_KEY) {
        throw changed(row.id(), "started", RedactedSqlException.of(e));
      }
      throw WriteFailure.of(database.errors(), e, "start saga " + row.id().saga());
    }
  }

  @Override
  public void update(SagaRow row) {
    try {
      if (!table.update(connection, row)) {
        throw changed(row.id(), "moved or ended", null);
      }
    } catch (SQLException e) {
      throw WriteFailure.of(database.errors(), e, "move saga " + row.id().saga());
    }
  }

  @Override
  public void delete(SagaId id, long version) {
    try {
      if (!table.delete(connection, id, version)) {
        throw changed(id, "moved or ended", null);
      }
    } catch (SQLException e) {
      throw WriteFailure.of(database.errors(), e, "end saga " + id.saga());
    }
  }

  private static StoreException changed(SagaId id, String what, @Nullable SQLException cause) {
    return new StoreException(
        ErrorCode.SAGA_CHANGED,
        "another message has "
            + what
            + " saga "
            + id
            + " at the same time; this one has had no effect, and is tried again",
        cause);
  }
}
