// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.util.List;

/**
 * What writing took, under one load.
 *
 * @param load how it was written
 * @param perSecond transactions
 * @param roundTrips of one transaction, its begin and commit among them
 * @param walBytes of one transaction
 * @param diskBytes of one transaction, those of its business among them
 */
record Written(Load load, double perSecond, int roundTrips, double walBytes, double diskBytes) {

  /** The loads that are measured. */
  static final List<Load> LOADS =
      List.of(new Load(1, 1), new Load(4, 1), new Load(1, 10), new Load(4, 10));

  static Written of(Load load, Reply reply) {
    return new Written(
        load,
        reply.number(load.id() + "PerSecond"),
        (int) reply.number(load.id() + "RoundTrips"),
        reply.number(load.id() + "WalBytes"),
        reply.number(load.id() + "DiskBytes"));
  }

  void addTo(Reply reply) {
    reply
        .with(load.id() + "PerSecond", perSecond)
        .with(load.id() + "RoundTrips", roundTrips)
        .with(load.id() + "WalBytes", walBytes)
        .with(load.id() + "DiskBytes", diskBytes);
  }
}
