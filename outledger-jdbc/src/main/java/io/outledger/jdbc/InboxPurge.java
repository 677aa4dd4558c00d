// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The inbox records that a running retention removes.
 *
 * @param age how old a record must be
 * @param whose which consumers' records go, in words
 * @param run removes them and returns how many it removed
 */
record InboxPurge(Duration age, String whose, LongSupplier run) {}
