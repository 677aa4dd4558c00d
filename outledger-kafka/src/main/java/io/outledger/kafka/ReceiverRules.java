// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.receive.Arrival;
import io.outledger.receive.Redelivery;
import io.outledger.relay.options.Backoff;
import io.outledger.time.TimeSource;
import java.util.Collection;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What a receiver needs to know besides its consumer and handler.
 *
 * @param reader makes messages of records
 * @param start where and how much to read
 * @param retention says for how long topics keep their records
 * @param setAside notes a record that cannot be received, so that it may be passed over
 * @param backoff how long to hold a partition after a failure
 * @param time the clock
 * @param random chance
 */
record ReceiverRules(
    RecordReader reader,
    ReceiverStart start,
    Retention retention,
    SetAside setAside,
    Backoff backoff,
    TimeSource time,
    RandomGenerator random) {

  /** Says for how long topics keep their records, of those that it was not asked for before. */
  @FunctionalInterface
  interface Retention {
    List<Redelivery> of(Collection<String> topics);
  }

  /** Notes a record that cannot be received. */
  @FunctionalInterface
  interface SetAside {
    void setAside(Arrival<RecordPlace> unreadable) throws Exception;
  }
}
