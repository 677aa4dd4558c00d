// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.order;

import java.math.BigDecimal;
import java.util.UUID;

/**
 * An order that was placed, as the client is answered.
 *
 * @param id its id
 * @param customer who placed it
 * @param number which order of this customer it is, from 1
 * @param product what was ordered
 * @param quantity how many
 * @param total what it costs
 */
record Order(
    UUID id, String customer, long number, String product, int quantity, BigDecimal total) {

  boolean answers(OrderRequest request) {
    return customer.equals(request.customer())
        && product.equals(request.product())
        && quantity == request.quantity();
  }
}
