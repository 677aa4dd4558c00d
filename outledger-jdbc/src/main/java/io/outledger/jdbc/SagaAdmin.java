// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Require;
import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.admin.Listing;
import io.outledger.jdbc.admin.MessageInfo;
import io.outledger.jdbc.admin.SagaInfo;
import io.outledger.jdbc.admin.SagaQuery;
import io.outledger.jdbc.admin.SagaState;
import io.outledger.jdbc.reading.SagaReads;
import io.outledger.jdbc.reading.StuckReads;
import io.outledger.jdbc.spi.AdminReads;
import io.outledger.saga.SagaId;
import java.util.Optional;
import java.util.SortedMap;

/**
 * What an operator reads of sagas. Nothing here changes anything or waits for a lock. Made by
 * {@link Admin#sagas()}, with which it is closed. Thread-safe.
 *
 * <pre>{@code
 * System.out.println(outledger.admin().sagas().why(new SagaId("renewal", "s-1")));
 * }</pre>
 */
public final class SagaAdmin {

  /** {@link #stuck} has no more names. */
  public static final int NAMES_MAX = 100;

  private static final String USE = "read sagas";

  private final SagaReads reads;
  private final StuckReads stuck;
  private final OpenState openState;

  SagaAdmin(AdminReads reads, OpenState openState) {
    this.reads = new SagaReads(reads);
    this.stuck = new StuckReads(reads);
    this.openState = openState;
  }

  /**
   * Returns the sagas that have not ended, by name and key.
   *
   * @throws io.outledger.StoreException if the database failed
   */
  public Listing<SagaInfo, SagaId> list(SagaQuery query) {
    Require.nonNull("query", query);
    openState.require(USE);
    return reads.list(query);
  }

  /**
   * Returns how many sagas of each name are stuck behind a dead letter of theirs, also where none
   * is. It looks at the dead letters of each name, up to {@link Count#MAX} on either side, and not
   * at all sagas, so one that waits for a time-out that never comes does not count here; {@link
   * SagaInfo#isStuck} says that of each.
   *
   * @return by name, the first {@value #NAMES_MAX}
   * @throws io.outledger.StoreException if the database failed
   */
  public SortedMap<String, Count> stuck() {
    openState.require(USE);
    return stuck.count(NAMES_MAX, Count.MAX);
  }

  /**
   * Returns a saga and what is parked of it; empty where it has ended, or has not started.
   *
   * @throws io.outledger.StoreException if the database failed
   */
  public Optional<SagaState> find(SagaId id) {
    return find(id, 0);
  }

  /**
   * The same, with its state.
   *
   * @param stateBytes at most this many bytes of it, up to {@link MessageInfo#PAYLOAD_BYTES_MAX}
   * @throws io.outledger.ConfigurationException {@code OUT-021} if that is out of range
   * @throws io.outledger.StoreException if the database failed
   */
  public Optional<SagaState> find(SagaId id, int stateBytes) {
    Require.nonNull("id", id);
    Admin.requirePayload("stateBytes", stateBytes);
    openState.require(USE);
    return reads.find(id, stateBytes);
  }

  /**
   * Returns in a sentence what a saga waits for, since when, and whether it is stuck; or that it is
   * not there, and what is parked of its key; or that nobody has a saga of that name.
   *
   * @throws io.outledger.StoreException if the database failed
   */
  public String why(SagaId id) {
    Require.nonNull("id", id);
    openState.require(USE);
    return reads.why(id);
  }
}
