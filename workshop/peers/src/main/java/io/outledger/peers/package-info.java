// SPDX-License-Identifier: Apache-2.0
/**
 * Sets Outledger beside what people use today: each of them drains, writes and hands over the same
 * messages in a JVM of its own, on one server. Run by {@code benchmarks/run compare}.
 */
@NullMarked
package io.outledger.peers;

import org.jspecify.annotations.NullMarked;
