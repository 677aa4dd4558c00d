// SPDX-License-Identifier: Apache-2.0
package io.outledger.inbox;

/**
 * What a consumer does with a message that is new.
 *
 * @param <X> what it may throw; a {@link RuntimeException} type where it throws nothing checked
 */
@FunctionalInterface
public interface Work<X extends Exception> {

  /** Does it, in the transaction that the inbox was given. */
  void run() throws X;
}
