// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.depot;

/** A crate was weighed, which is nobody else's business. */
public record CrateWeighed(String id) {}
