// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.parcels;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.springframework.data.domain.AbstractAggregateRoot;

/** An aggregate of Spring Data's kind. */
@Entity
public class Letter extends AbstractAggregateRoot<Letter> {

  @Id private String id = "";

  /** For JPA. */
  protected Letter() {}

  /** Makes one that has been posted. */
  @SuppressWarnings("this-escape") // a lint of newer JDKs; nobody overrides what this calls
  public Letter(String id) {
    this.id = id;
    move("posted");
  }

  /** Moves it. */
  public void move(String where) {
    registerEvent(new ParcelMoved(id, where));
  }
}
