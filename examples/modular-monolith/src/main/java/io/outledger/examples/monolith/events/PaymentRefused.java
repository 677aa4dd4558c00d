// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.monolith.events;

/**
 * An order could not be paid.
 *
 * @param orderId the order's id
 */
public record PaymentRefused(String orderId) {}
