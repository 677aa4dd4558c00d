// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.jooq;

/**
 * A customer has placed an order.
 *
 * @param orderId the order's id
 * @param cents what it costs
 */
public record OrderPlaced(String orderId, int cents) {}
