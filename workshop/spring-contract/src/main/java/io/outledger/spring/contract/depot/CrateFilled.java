// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.depot;

import io.outledger.spring.boot.OutboxEvent;

/** A crate was filled. */
@OutboxEvent(name = "crate.filled", topic = "crates", key = "id")
public record CrateFilled(String id, int pieces) implements CrateEvent {}
