// SPDX-License-Identifier: Apache-2.0
/**
 * The ledger, the cursors, the parked messages and the inbox on PostgreSQL. SQLException never
 * leaves this package.
 */
@NullMarked
package io.outledger.jdbc;

import org.jspecify.annotations.NullMarked;
