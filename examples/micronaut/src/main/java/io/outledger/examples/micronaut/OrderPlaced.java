// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.micronaut;

/**
 * A customer has placed an order.
 *
 * @param orderId the order's id
 * @param customer who placed it
 * @param cents what it costs
 */
public record OrderPlaced(String orderId, String customer, int cents) {}
