// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import io.outledger.Message;
import io.outledger.jpa.AggregateRoot;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An aggregate whose events are messages already. */
@Entity
class Account extends AggregateRoot {

  @Id private String id;
  private int cents;

  @SuppressWarnings("NullAway.Init") // Hibernate fills it
  protected Account() {}

  Account(String id) {
    this.id = id;
  }

  void pay(int more) {
    cents += more;
    raise(Message.to("accounts", "account.paid").key(id + " " + cents).build());
  }
}
