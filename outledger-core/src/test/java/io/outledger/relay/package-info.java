// SPDX-License-Identifier: Apache-2.0
/** The relay's parts alone; the whole relay is tried by the seeded simulation in {@code chaos}. */
@NullMarked
package io.outledger.relay;

import org.jspecify.annotations.NullMarked;
