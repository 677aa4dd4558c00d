// SPDX-License-Identifier: Apache-2.0
/**
 * The inventory service: consumes orders, reserves stock once for each, and tells so through an
 * outbox of its own. Start reading at {@link io.outledger.examples.inventory.InventoryService}.
 */
@NullMarked
package io.outledger.examples.inventory;

import org.jspecify.annotations.NullMarked;
