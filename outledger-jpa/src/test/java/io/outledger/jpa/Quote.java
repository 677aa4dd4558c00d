// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Transient;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** An aggregate whose interface has the annotations. */
@Entity
@Table(name = "shop_quote")
class Quote implements Announcing {

  @Id private String id;
  @Transient private boolean rebuilds;
  @Transient private final List<Object> events = new ArrayList<>();

  protected Quote() {}

  Quote(String id, boolean rebuilds) {
    this.id = id;
    this.rebuilds = rebuilds;
    events.add(quoted());
  }

  @Override
  public Collection<Object> announced() {
    return rebuilds ? List.of(quoted()) : List.copyOf(events);
  }

  @Override
  public void forget() {
    events.clear();
  }

  private ShopEvent quoted() {
    return new ShopEvent.Happened(id, "quoted");
  }
}
