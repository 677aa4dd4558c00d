// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Transient;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.springframework.data.domain.AfterDomainEventPublication;
import org.springframework.data.domain.DomainEvents;

/** An aggregate of Spring Data's kind. */
@Entity
@Table(name = "shop_basket")
class Basket {

  @Id private String id;
  private int articles;
  @Transient private final List<Object> events = new ArrayList<>();
  @Transient private boolean unreadable;

  protected Basket() {}

  Basket(String id) {
    this.id = id;
    raise("filled");
  }

  String id() {
    return id;
  }

  void add(int count) {
    articles += count;
    raise("added " + count);
  }

  void raise(String what) {
    raise(new ShopEvent.Happened(id, what));
  }

  void raise(Object event) {
    events.add(event);
  }

  void failToShow() {
    unreadable = true;
  }

  @DomainEvents
  Collection<Object> events() {
    if (unreadable) {
      throw new IllegalStateException("cannot show its events");
    }
    return List.copyOf(events);
  }

  @AfterDomainEventPublication
  void forget() {
    if (articles < 0) {
      throw new IllegalStateException("cannot forget");
    }
    events.clear();
  }
}
