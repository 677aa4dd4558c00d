// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.orders;

import io.outledger.examples.springshop.events.OrderCancelled;
import io.outledger.examples.springshop.events.OrderCompleted;
import io.outledger.examples.springshop.events.OrderPaid;
import io.outledger.examples.springshop.events.OrderPlaced;
import io.outledger.jpa.AggregateRoot;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import org.jspecify.annotations.Nullable;

/**
 * An order. Each change raises an event, which is in the ledger when the order is saved. {@link
 * OrderSaga} makes them.
 */
@Entity
@Table(name = "shop_order")
public class Order extends AggregateRoot {

  /** How far an order is. */
  public enum Status {
    PLACED,
    PAID,
    COMPLETED,
    CANCELLED
  }

  @Id private String id = "";
  @Version private @Nullable Integer version;
  private String address = "";

  @Enumerated(EnumType.STRING)
  private Status status = Status.PLACED;

  /** For JPA. */
  protected Order() {}

  Order(String id, String address, int cents) {
    this.id = id;
    this.address = address;
    raise(new OrderPlaced(id, address, cents));
  }

  void paid() {
    status = Status.PAID;
    raise(new OrderPaid(id, address));
  }

  void shipped() {
    status = Status.COMPLETED;
    raise(new OrderCompleted(id));
  }

  void cancel(String reason) {
    status = Status.CANCELLED;
    raise(new OrderCancelled(id, reason));
  }

  Status status() {
    return status;
  }
}
