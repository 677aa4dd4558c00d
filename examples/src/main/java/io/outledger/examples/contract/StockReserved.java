// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.contract;

import java.util.UUID;

/**
 * Stock was set aside for an order.
 *
 * @param order the order's id
 * @param product what was set aside; the events of one product are published in order
 * @param number which reservation of this product it is, from 1
 * @param quantity how many
 */
public record StockReserved(UUID order, String product, long number, int quantity) {}
