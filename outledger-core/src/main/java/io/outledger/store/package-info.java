// SPDX-License-Identifier: Apache-2.0
/**
 * The interface between a relay and its database. Every implementation passes the contract suites
 * of {@code outledger-contracts}.
 */
@NullMarked
package io.outledger.store;

import org.jspecify.annotations.NullMarked;
