// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.depot;

import org.springframework.modulith.events.Externalized;

/** A crate was scanned: its target is a text that happens to be the class's name. */
@Externalized("CrateScanned::#{id()}")
public record CrateScanned(String id) {}
