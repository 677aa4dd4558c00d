// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.event.TypeVersion;
import io.outledger.saga.SagaId;
import io.outledger.saga.SagaPhase;
import io.outledger.saga.SagaRow;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * What an operator sees of a saga that has not ended.
 *
 * @param id which saga it is
 * @param steps how many messages have started and moved it
 * @param phase what it is doing
 * @param progress what it waits for, in words and as time-outs, and what it would undo
 * @param type the logical name and version of its state
 * @param stateBytes how long its state is
 * @param startedAt when it has started, by the database's clock
 * @param changedAt when its last message has moved it, by the database's clock
 * @param timers the time-outs that it waits for, and where each is
 * @param hasDeadLetter whether a message of its key is a dead letter of its handler
 */
public record SagaInfo(
    SagaId id,
    long steps,
    SagaPhase phase,
    SagaRow.Progress progress,
    TypeVersion type,
    long stateBytes,
    Instant startedAt,
    Instant changedAt,
    List<SagaTimer> timers,
    boolean hasDeadLetter) {

  private static final Set<SagaTimer.Place> STUCK =
      Set.of(SagaTimer.Place.DEAD, SagaTimer.Place.GONE);

  /**
   * Returns whether it may not go on by itself: a message of its key, or a time-out that it waits
   * for, is a dead letter of its handler, until somebody retries or discards that; or it waits for
   * a time-out that never comes.
   */
  public boolean isStuck() {
    return hasDeadLetter || timers.stream().anyMatch(each -> STUCK.contains(each.place()));
  }
}
