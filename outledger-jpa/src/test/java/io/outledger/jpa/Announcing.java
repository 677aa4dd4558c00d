// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import java.util.Collection;
import org.springframework.data.domain.AfterDomainEventPublication;
import org.springframework.data.domain.DomainEvents;

/** What raises events, as an interface says. */
interface Announcing {

  @DomainEvents
  Collection<Object> announced();

  @AfterDomainEventPublication
  void forget();
}
