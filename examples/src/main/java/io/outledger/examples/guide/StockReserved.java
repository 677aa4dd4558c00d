// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

/**
 * Stock was reserved for an order.
 *
 * @param orderId the order's id
 */
public record StockReserved(String orderId) {}
