// SPDX-License-Identifier: Apache-2.0
/**
 * The settled positions of a subscription, as a pure value, and the proof that a hole is dead.
 * Nothing here performs I/O or reads a clock.
 */
@NullMarked
package io.outledger.frontier;

import org.jspecify.annotations.NullMarked;
