// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.receive.ParkingHandler;
import io.outledger.receive.ReceiverStore;
import java.util.List;

/** An inbox's handler: of batches, or, for a receiver that parks, with its database. */
record InboxHandler(BatchHandler batches, ReceiverStore store) implements ParkingHandler {

  @Override
  public void handle(List<Received> batch) throws Exception {
    batches.handle(batch);
  }
}
