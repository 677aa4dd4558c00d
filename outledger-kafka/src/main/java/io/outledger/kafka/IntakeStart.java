// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import java.util.List;

/**
 * What an intake reads.
 *
 * @param topics the topics
 * @param fromEnd whether a group without offsets starts behind the newest record
 * @param batchMax the maximum number of records handed on at once
 */
record IntakeStart(List<String> topics, boolean fromEnd, int batchMax) {}
