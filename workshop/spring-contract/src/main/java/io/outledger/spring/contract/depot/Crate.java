// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.depot;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.springframework.data.domain.AbstractAggregateRoot;

/** A crate. */
@Entity
public class Crate extends AbstractAggregateRoot<Crate> {

  @Id private String id = "";
  private int pieces;

  /** For JPA. */
  protected Crate() {}

  /** Makes an empty one. */
  public Crate(String id) {
    this.id = id;
  }

  /** Fills it. */
  public Crate fill(int more) {
    pieces += more;
    registerEvent(new CrateFilled(id, pieces));
    return this;
  }
}
