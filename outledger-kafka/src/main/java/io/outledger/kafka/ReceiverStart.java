// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import java.util.List;

/**
 * What a receiver reads, and where.
 *
 * @param servers where Kafka is, for people
 * @param topics the topics
 * @param fromEnd whether a group without offsets starts behind the newest record
 * @param batchMax the maximum number of records in a batch
 */
record ReceiverStart(String servers, List<String> topics, boolean fromEnd, int batchMax) {}
