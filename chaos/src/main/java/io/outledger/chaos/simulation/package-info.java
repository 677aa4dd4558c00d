// SPDX-License-Identifier: Apache-2.0
/**
 * The real relay and inbox on one thread, over an in-memory ledger and a model of a broker, with a
 * fault possible at every call. Every choice comes from one seed, so each run can be had again;
 * nothing here may ever read a clock, start a thread or do I/O.
 */
@NullMarked
package io.outledger.chaos.simulation;

import org.jspecify.annotations.NullMarked;
