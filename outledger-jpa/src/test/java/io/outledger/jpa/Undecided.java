// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.List;
import org.springframework.data.domain.AfterDomainEventPublication;
import org.springframework.data.domain.DomainEvents;

/** Shows events in two ways. */
@Entity
class Undecided extends AggregateRoot {

  @Id private String id;

  @DomainEvents
  List<Object> events() {
    return List.of(id);
  }

  @AfterDomainEventPublication
  void forget() {}
}
