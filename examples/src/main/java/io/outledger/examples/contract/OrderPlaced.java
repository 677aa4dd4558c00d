// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.contract;

import java.math.BigDecimal;
import java.util.UUID;

/**
 * A customer has placed an order.
 *
 * @param order the order's id
 * @param customer who placed it; the events of one customer are published in order
 * @param number which order of this customer it is, from 1
 * @param product what was ordered
 * @param quantity how many
 * @param total what it costs
 */
public record OrderPlaced(
    UUID order, String customer, long number, String product, int quantity, BigDecimal total) {}
