// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

/**
 * An order was placed.
 *
 * @param orderId the order's id
 * @param cents what it costs
 */
public record OrderPlaced(String orderId, int cents) {}
