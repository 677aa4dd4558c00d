// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import java.util.Optional;

/**
 * Decides whether an event may be appended.
 *
 * @param <E> the class of the event
 */
@FunctionalInterface
public interface EventGuard<E> {

  /**
   * Returns why an event must not be appended, for people and without personal data; empty where it
   * may be. A refused event fails the append with {@code OUT-024}, and nothing is written.
   *
   * @throws Exception if that cannot be told: the append fails, and the transaction must be rolled
   *     back
   */
  Optional<String> refusal(E event, AppendContext context) throws Exception;
}
