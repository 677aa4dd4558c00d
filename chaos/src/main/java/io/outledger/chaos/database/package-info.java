// SPDX-License-Identifier: Apache-2.0
/**
 * The databases on which the shop can be: how each is started, and what the shop says to it. It
 * knows nothing of the shop's processes.
 */
@NullMarked
package io.outledger.chaos.database;

import org.jspecify.annotations.NullMarked;
