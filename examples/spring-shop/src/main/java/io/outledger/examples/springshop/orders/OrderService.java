// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.orders;

import java.time.Duration;
import java.time.InstantSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Takes orders, and cancels those that nobody pays in time. */
@Service
@Transactional
public class OrderService {

  private final Orders orders;
  private final InstantSource clock;
  private final Duration patience;

  OrderService(
      Orders orders, InstantSource clock, @Value("${shop.payment-timeout}") Duration patience) {
    this.orders = orders;
    this.clock = clock;
    this.patience = patience;
  }

  /** Takes an order. Its event is in the ledger when it is saved. */
  public void place(String id, String address, int cents) {
    orders.save(new Order(id, address, cents, clock.instant()));
  }

  /** Returns how far an order is. */
  @Transactional(readOnly = true)
  public Order.Status status(String id) {
    return orders.findById(id).orElseThrow().status();
  }

  /** Cancels what is not paid in time. No save is needed for the change or its event. */
  @Scheduled(fixedDelayString = "${shop.timeout-check}")
  public void expire() {
    orders
        .findByStatusAndPlacedAtBefore(Order.Status.PLACED, clock.instant().minus(patience))
        .forEach(order -> order.cancel("not paid in time"));
  }
}
