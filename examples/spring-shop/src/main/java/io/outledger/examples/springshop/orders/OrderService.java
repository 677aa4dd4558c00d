// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.orders;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Takes orders. */
@Service
@Transactional
public class OrderService {

  private final Orders orders;

  OrderService(Orders orders) {
    this.orders = orders;
  }

  /** Takes an order. Its event is in the ledger when it is saved. */
  public void place(String id, String address, int cents) {
    orders.save(new Order(id, address, cents));
  }

  /** Returns how far an order is. */
  @Transactional(readOnly = true)
  public Order.Status status(String id) {
    return orders.findById(id).orElseThrow().status();
  }
}
