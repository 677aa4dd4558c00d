// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Transient;
import jakarta.persistence.Version;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An aggregate that extends nothing, and whose id the database draws. */
@Entity
@Table(name = "shop_invoice")
class Invoice implements HasDomainEvents {

  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  private @Nullable Long id;

  @Version private @Nullable Integer version;
  private long amount;

  @Transient private final RaisedEvents events = new RaisedEvents();

  protected Invoice() {}

  Invoice(long amount) {
    this.amount = amount;
    events.raise(new ShopEvent.Other("invoice", "of " + amount));
  }

  Long id() {
    return Objects.requireNonNull(id);
  }

  long amount() {
    return amount;
  }

  void pay() {
    amount = 0;
    events.raise(new ShopEvent.Other("invoice", "paid"));
  }

  void reopen(long value) {
    amount = value;
    events.raise(new ShopEvent.Other("invoice", "reopened"));
  }

  @Override
  public RaisedEvents domainEvents() {
    return events;
  }
}
