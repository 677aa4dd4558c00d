// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Transient;

/** An aggregate that counts how often it is asked for its events. */
@Entity
@Table(name = "shop_box")
class Box implements HasDomainEvents {

  @Id private String id;
  @Transient private final RaisedEvents events = new RaisedEvents();
  @Transient private int reads;

  protected Box() {}

  Box(String id) {
    this.id = id;
  }

  void happens(String what) {
    events.raise(new ShopEvent.Happened(id, what));
  }

  String id() {
    return id;
  }

  int reads() {
    return reads;
  }

  @Override
  public RaisedEvents domainEvents() {
    reads++;
    return events;
  }
}
