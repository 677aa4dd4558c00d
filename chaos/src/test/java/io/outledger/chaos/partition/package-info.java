// SPDX-License-Identifier: Apache-2.0
/** A small run of processes that share partitions. */
@NullMarked
package io.outledger.chaos.partition;

import org.jspecify.annotations.NullMarked;
