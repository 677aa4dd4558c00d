// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.listener;

import io.outledger.Require;

/** Calls one listener and then another. */
record Both(RelayListener first, RelayListener second) implements RelayListener {

  Both {
    Require.nonNull("first", first);
    Require.nonNull("second", second); // also what a listener returns for a partition
  }

  @Override
  public void on(RelayEvent event) {
    first.on(event);
    second.on(event);
  }

  @Override
  public RelayListener ofPartition(int partition) {
    return new Both(first.ofPartition(partition), second.ofPartition(partition));
  }
}
