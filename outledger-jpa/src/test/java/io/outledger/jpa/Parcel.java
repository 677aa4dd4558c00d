// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

@Entity
@Table(name = "parcel")
class Parcel extends AggregateRoot {

  @Id private String id;
  private String place;

  protected Parcel() {}

  Parcel(String id) {
    this.id = id;
    this.place = "depot";
  }

  String place() {
    return place;
  }

  void arriveAt(String where) {
    place = where;
    raise(new ParcelArrived(id, where));
  }
}
