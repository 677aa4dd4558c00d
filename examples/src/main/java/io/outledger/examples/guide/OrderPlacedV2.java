// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

/** The second version of {@link OrderPlaced}: a price has a currency. */
record OrderPlacedV2(String orderId, int cents, String currency) {}
