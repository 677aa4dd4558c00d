// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.orders;

import io.outledger.examples.springshop.events.OrderCancelled;
import io.outledger.examples.springshop.events.OrderCompleted;
import io.outledger.examples.springshop.events.OrderPaid;
import io.outledger.examples.springshop.events.OrderPlaced;
import io.outledger.jpa.AggregateRoot;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An order, which is also the saga: its status says how far it is, and each step raises the event
 * that starts the next one.
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

  @Column(nullable = false)
  private Instant placedAt = Instant.EPOCH;

  @Enumerated(EnumType.STRING)
  private Status status = Status.PLACED;

  /** For JPA. */
  protected Order() {}

  Order(String id, String address, int cents, Instant now) {
    this.id = id;
    this.address = address;
    this.placedAt = now;
    raise(new OrderPlaced(id, address, cents));
  }

  void paid() {
    if (status == Status.PLACED) {
      status = Status.PAID;
      raise(new OrderPaid(id, address));
    }
  }

  void shipped() {
    if (status == Status.PAID) {
      status = Status.COMPLETED;
      raise(new OrderCompleted(id));
    }
  }

  /** Ends the saga; the other services undo what they have done when they hear of it. */
  void cancel(String reason) {
    if (status == Status.PLACED || status == Status.PAID) {
      status = Status.CANCELLED;
      raise(new OrderCancelled(id, reason));
    }
  }

  Status status() {
    return status;
  }
}
