// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.Require;
import io.outledger.store.LedgerMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a {@link Pull} hands out.
 *
 * @param state whether the slots are owned
 * @param messages the next messages of the slots, in order of position; may be empty. Those that
 *     are {@linkplain LedgerMessage#erased() erased} or {@linkplain LedgerMessage#unreadable()
 *     unreadable} are among them, and are not to be sent
 * @param after how far each slot is once all of them have arrived; empty where the slots are not
 *     owned
 * @param pause how long to wait before the next call
 */
public record Pulled(
    StepReport.State state,
    List<LedgerMessage> messages,
    Map<Integer, PullJournal.Entry> after,
    Duration pause) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public Pulled {
    Require.nonNull("state", state);
    Require.nonNull("messages", messages);
    Require.nonNull("after", after);
    Require.nonNull("pause", pause);
  }

  static Pulled none(StepReport.State state, Duration pause) {
    return new Pulled(state, List.of(), Map.of(), pause);
  }
}
