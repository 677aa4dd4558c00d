// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.parcels;

import io.outledger.jpa.AggregateRoot;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.PreRemove;

/** An aggregate. */
@SuppressWarnings("this-escape") // a lint of newer JDKs; nobody overrides what this calls
@Entity
public class Parcel extends AggregateRoot {

  @Id private String id = "";
  private String place = "";

  /** For JPA. */
  protected Parcel() {}

  /** Makes one that is at the depot. */
  public Parcel(String id) {
    this.id = id;
    move("depot");
  }

  /** Moves it. */
  public void move(String where) {
    place = where;
    raise(new ParcelMoved(id, where));
  }

  /** Returns where it is. */
  public String place() {
    return place;
  }

  @PreRemove
  void removed() {
    raise(new ParcelMoved(id, "gone"));
  }
}
