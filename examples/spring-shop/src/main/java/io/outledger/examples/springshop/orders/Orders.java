// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.orders;

import java.time.Instant;
import java.util.List;
import org.springframework.data.repository.ListCrudRepository;

interface Orders extends ListCrudRepository<Order, String> {

  List<Order> findByStatusAndPlacedAtBefore(Order.Status status, Instant time);
}
