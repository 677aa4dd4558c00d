// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

/** What to do with records that are not CloudEvents in binary mode and so have no identity. */
public enum ForeignRecords {
  /**
   * Stop before such a record: its partition is held, with an error that names the record, until
   * the topic or this choice is fixed; other partitions continue. Nothing is skipped. The default.
   */
  STOP,
  /**
   * Receive it under an identity made of where it lies: source {@code /kafka}, id {@code
   * topic-partition-offset-timestamp}, type the topic's name, version 1. It is the same at every
   * delivery, but a sender that sends the same thing twice makes two of them.
   */
  IDENTIFY_BY_OFFSET
}
