// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.OneToMany;
import jakarta.persistence.PostPersist;
import jakarta.persistence.PostUpdate;
import jakarta.persistence.PrePersist;
import jakarta.persistence.PreUpdate;
import jakarta.persistence.Table;
import jakarta.persistence.Transient;
import java.util.ArrayList;
import java.util.List;

/** An aggregate with an id that the application assigns, and children. */
@Entity
@Table(name = "shop_order")
class Order extends AggregateRoot {

  @Id private String id;
  private String name;

  @OneToMany(cascade = CascadeType.ALL, orphanRemoval = true)
  @JoinColumn(name = "order_id")
  private List<OrderLine> lines = new ArrayList<>();

  @Transient private boolean talksAtFlush;

  protected Order() {}

  Order(String id, String name) {
    this.id = id;
    this.name = name;
  }

  static Order placed(String id) {
    Order order = new Order(id, "new");
    order.happens("placed");
    return order;
  }

  String id() {
    return id;
  }

  String name() {
    return name;
  }

  int lineCount() {
    return lines.size();
  }

  void happens(String what) {
    raise(new ShopEvent.Happened(id, what));
  }

  void raises(Object event) {
    raise(event);
  }

  void rename(String value) {
    name = value;
    happens(value);
  }

  void renameSilently(String value) {
    name = value;
  }

  void addLine(String article) {
    lines.add(new OrderLine(article));
    happens("line " + article);
  }

  /** Another order raises for this one: through a proxy, where that is what it was given. */
  void raiseFor(Order other, String what) {
    other.raise(new ShopEvent.Happened(other.id(), what));
  }

  void talkAtFlush() {
    talksAtFlush = true;
  }

  @PrePersist
  void beforeInsert() {
    if (name.startsWith("copied")) {
      happens("inserted");
    }
  }

  @PostPersist
  void afterInsert() {
    if (talksAtFlush) {
      happens("after insert");
    }
  }

  @PreUpdate
  void beforeUpdate() {
    if (talksAtFlush) {
      happens("before update");
    }
  }

  @PostUpdate
  void afterUpdate() {
    if (talksAtFlush) {
      happens("after update");
    }
  }
}
