// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.PreUpdate;
import jakarta.persistence.Transient;

/** An entity with an id of its own. */
@Entity
class Customer {

  @Id private String id;
  private String name;
  @Transient private Runnable whenUpdated = () -> {};

  @SuppressWarnings("NullAway.Init") // Hibernate fills it
  protected Customer() {}

  Customer(String id, String name) {
    this.id = id;
    this.name = name;
  }

  /** Changes the name, and does something when that is written. */
  void rename(String newName, Runnable announcement) {
    name = newName;
    whenUpdated = announcement;
  }

  @PreUpdate
  void announce() {
    whenUpdated.run();
  }

  /** Returns the id and the name. */
  @Override
  public String toString() {
    return id + " " + name;
  }
}
