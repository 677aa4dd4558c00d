// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An entity with an id of its own. */
@Entity
class Customer {

  @Id private String id;
  private String name;

  @SuppressWarnings("NullAway.Init") // Hibernate fills it
  protected Customer() {}

  Customer(String id, String name) {
    this.id = id;
    this.name = name;
  }

  /** Returns the id and the name. */
  @Override
  public String toString() {
    return id + " " + name;
  }
}
