// SPDX-License-Identifier: Apache-2.0
package io.outledger.inbox;

import java.util.List;

/**
 * What a consumer does with those messages of a batch that are new.
 *
 * @param <X> what it may throw; a {@link RuntimeException} type where it throws nothing checked
 */
@FunctionalInterface
public interface BatchWork<X extends Exception> {

  /**
   * Does it, in the transaction that the inbox was given.
   *
   * @param fresh the messages that are new, one or more, each once, in the order received
   */
  void run(List<Received> fresh) throws X;
}
