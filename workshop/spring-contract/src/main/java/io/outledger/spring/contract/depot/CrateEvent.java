// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.depot;

import org.springframework.modulith.events.Externalized;

/** What happens to crates, on one topic. */
@Externalized("crates::#{#this.id()}")
public interface CrateEvent {

  /** Returns the crate's id. */
  String id();
}
