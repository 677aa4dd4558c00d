// SPDX-License-Identifier: Apache-2.0
/**
 * Every promise of {@link io.outledger.jdbc.spi.Database}, kept on SQLite: one class for each SQL
 * story. {@link io.outledger.sqlite.Sqlite} is the door.
 */
@NullMarked
package io.outledger.sqlite;

import org.jspecify.annotations.NullMarked;
