// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.depot;

import io.outledger.spring.boot.OutboxEvent;

/** A crate was opened. */
@OutboxEvent(name = "crate.opened", topic = "crates", key = "id")
public record CrateOpened(String id) implements CrateEvent {}
