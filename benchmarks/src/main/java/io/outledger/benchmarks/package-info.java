// SPDX-License-Identifier: Apache-2.0
/**
 * Measures what Outledger costs, on private servers, and prints the figures beside what they are to
 * reach. Run by {@code benchmarks/run}; never a test, since a figure depends on its machine.
 */
@NullMarked
package io.outledger.benchmarks;

import org.jspecify.annotations.NullMarked;
