// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.order;

import org.jspecify.annotations.Nullable;

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
    requireGood("customer", customer);
    requireGood("product", product);
    if (quantity < 1 || quantity > QUANTITY_MAX) {
      throw new IllegalArgumentException("quantity must be 1 to " + QUANTITY_MAX);
    }
  }

  private static void requireGood(String field, @Nullable String text) {
    if (text == null
        || text.isBlank()
        || text.length() > TEXT_CHARS_MAX
        || !text.codePoints().allMatch(OrderRequest::isGood)) {
      throw new IllegalArgumentException(
          field
              + " must have 1 to "
              + TEXT_CHARS_MAX
              + " characters, all printable: no line breaks, NUL or other control characters");
    }
  }

  private static boolean isGood(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
