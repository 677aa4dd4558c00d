// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

/**
 * What the world is told of an order.
 *
 * @param orderId the order's id
 * @param cents what it costs
 */
public record OrderAccepted(String orderId, int cents) {}
