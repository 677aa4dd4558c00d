// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.StoreException;
import io.outledger.saga.SagaId;
import io.outledger.saga.SagaRow;
import io.outledger.saga.SagaStore;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Sagas in memory, without transactions: what it writes is there at once. It refuses what a
 * database would refuse. Not thread-safe.
 */
final class InMemorySagas implements SagaStore {

  private final Map<SagaId, SagaRow> rows;

  InMemorySagas() {
    this.rows = new LinkedHashMap<>();
  }

  private InMemorySagas(Map<SagaId, SagaRow> rows) {
    this.rows = new LinkedHashMap<>(rows);
  }

  /** Returns a copy, as the sagas of a transaction that may roll back. */
  InMemorySagas copy() {
    return new InMemorySagas(rows);
  }

  @Override
  public Optional<SagaRow> find(SagaId id) {
    return Optional.ofNullable(rows.get(Require.nonNull("id", id)));
  }

  @Override
  public void insert(SagaRow row) {
    if (rows.putIfAbsent(Require.nonNull("row", row).id(), row) != null) {
      throw changed(row.id());
    }
  }

  @Override
  public void update(SagaRow row) {
    require(Require.nonNull("row", row).id(), row.version() - 1);
    rows.put(row.id(), row);
  }

  @Override
  public void delete(SagaId id, long version) {
    require(Require.nonNull("id", id), version);
    rows.remove(id);
  }

  private void require(SagaId id, long version) {
    SagaRow there = rows.get(id);
    if (there == null || there.version() != version) {
      throw changed(id);
    }
  }

  private static StoreException changed(SagaId id) {
    return new StoreException(
        ErrorCode.SAGA_CHANGED, "another message has changed saga " + id + " at the same time");
  }
}
