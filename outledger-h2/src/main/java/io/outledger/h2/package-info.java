// SPDX-License-Identifier: Apache-2.0
/**
 * Every promise of {@link io.outledger.jdbc.spi.Database}, kept on H2: one class for each SQL
 * story. {@link io.outledger.h2.H2} is the door.
 */
@NullMarked
package io.outledger.h2;

import org.jspecify.annotations.NullMarked;
