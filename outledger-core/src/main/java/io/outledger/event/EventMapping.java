// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import java.util.Collection;

/**
 * Turns one event of the application's domain into what is published.
 *
 * @param <E> the class of the event
 */
@FunctionalInterface
public interface EventMapping<E> {

  /**
   * Returns the replacements to publish for the event, in order: none, one or several events of
   * registered classes and messages. The event itself may be among them, if its class has a name
   * and a topic. What is returned is not guarded, enriched or mapped again.
   *
   * @throws Exception if it failed: the append fails, and the transaction must be rolled back
   */
  Collection<?> map(E event, AppendContext context) throws Exception;
}
