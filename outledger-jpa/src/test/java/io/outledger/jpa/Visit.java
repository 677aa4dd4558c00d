// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** Of the documented example: what a listener writes. */
@Entity
@Table(name = "visit")
class Visit {

  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  private @Nullable Long id;

  private String place;

  protected Visit() {}

  Visit(String place) {
    this.place = place;
  }

  @Override
  public String toString() {
    return id + " " + place;
  }
}
