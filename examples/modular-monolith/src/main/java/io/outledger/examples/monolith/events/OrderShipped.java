// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.monolith.events;

/**
 * An order is on its way.
 *
 * @param orderId the order's id
 */
public record OrderShipped(String orderId) {}
