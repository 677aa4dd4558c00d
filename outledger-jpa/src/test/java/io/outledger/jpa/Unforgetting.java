// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.List;
import org.springframework.data.domain.DomainEvents;

/** Shows events, and cannot be told that they were published. */
@Entity
class Unforgetting {

  @Id private String id;

  @DomainEvents
  List<Object> events(String unexpected) {
    return List.of(id + unexpected);
  }
}
