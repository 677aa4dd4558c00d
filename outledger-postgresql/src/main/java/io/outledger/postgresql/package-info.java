// SPDX-License-Identifier: Apache-2.0
/**
 * Every promise of {@link io.outledger.jdbc.spi.Database}, kept on PostgreSQL: one class for each
 * SQL story. {@link io.outledger.postgresql.PostgreSql} is the door.
 */
@NullMarked
package io.outledger.postgresql;

import org.jspecify.annotations.NullMarked;
