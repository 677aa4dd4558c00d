// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

/**
 * Adds to an event what it lacks, while it is appended.
 *
 * @param <E> the class of the event
 */
@FunctionalInterface
public interface EventEnrichment<E> {

  /**
   * Returns the event as it is to be mapped and published. It may read in the transaction, through
   * {@link AppendContext#resource}; what it looks for may have been deleted in that transaction.
   *
   * @throws Exception if it failed: the append fails, and the transaction must be rolled back
   */
  E enrich(E event, AppendContext context) throws Exception;
}
