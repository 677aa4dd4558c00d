// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

/**
 * Decides about records that cannot be received: too large, with too many headers, or without an
 * identity that can be read. Called by the receiver's thread, in the order of the partition.
 */
@FunctionalInterface
public interface UnreadableRecords {

  /**
   * Notes a record durably, such as in a table. On return the record is passed over for good.
   *
   * @param record where it lies, and what is wrong with it
   * @throws Exception to hold its partition, and be asked again after the back-off
   */
  void setAside(UnreadableRecord record) throws Exception;
}
