// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.depot;

import io.outledger.spring.boot.OutboxEvent;
import org.springframework.modulith.events.Externalized;

/** A crate was returned. */
@Externalized("crates::#{id()}")
@OutboxEvent(name = "crate.returned", topic = "crates", key = "id")
public record CrateReturned(String id) {}
