// SPDX-License-Identifier: Apache-2.0
/**
 * What a subscription has settled, as a pure value, and the proof that a hole is dead. No I/O and
 * no clock: nothing here may ever read either.
 */
@NullMarked
package io.outledger.frontier;

import org.jspecify.annotations.NullMarked;
