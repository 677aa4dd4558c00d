// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.order;

/**
 * What a client asks for.
 *
 * @param customer who orders
 * @param product what
 * @param quantity how many, 1 or more
 */
record OrderRequest(String customer, String product, int quantity) {

  private static final int TEXT_CHARS_MAX = 100;
  private static final int QUANTITY_MAX = 1000;

  // Data from outside may well be null where its type says otherwise.
  OrderRequest {
    if (isBad(customer) || isBad(product) || quantity < 1 || quantity > QUANTITY_MAX) {
      throw new IllegalArgumentException(
          "an order has a customer, a product and a quantity of 1 to " + QUANTITY_MAX);
    }
  }

  private static boolean isBad(@org.jspecify.annotations.Nullable String text) {
    return text == null || text.isBlank() || text.length() > TEXT_CHARS_MAX;
  }
}
