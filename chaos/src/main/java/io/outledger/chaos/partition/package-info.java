// SPDX-License-Identifier: Apache-2.0
/**
 * Processes that share the partitions of a subscription come, go, freeze and are killed, and then
 * each key is judged by its effects. Behind {@code chaos/partitions}.
 */
@NullMarked
package io.outledger.chaos.partition;

import org.jspecify.annotations.NullMarked;
