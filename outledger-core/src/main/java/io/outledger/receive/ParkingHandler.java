// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.inbox.BatchHandler;

/**
 * A handler whose consumer has a database in which a receiver can park what fails. Used as a mere
 * {@link BatchHandler}, it parks nothing.
 */
public interface ParkingHandler extends BatchHandler {

  /** Returns the consumer's database. */
  ReceiverStore store();
}
