// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.depot;

import org.springframework.modulith.events.Externalized;

/** A crate was sent: its target is nobody else's, and so its type's name. */
@Externalized("crates-sent::#{id()}")
public record CrateSent(String id) {}
