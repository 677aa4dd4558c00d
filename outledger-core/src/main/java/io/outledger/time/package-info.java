// SPDX-License-Identifier: Apache-2.0
/** Time, handed in: the one place where the system's clocks are read. */
@NullMarked
package io.outledger.time;

import org.jspecify.annotations.NullMarked;
