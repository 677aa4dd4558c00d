// SPDX-License-Identifier: Apache-2.0
/**
 * What a relay and an inbox ask of a database. Every implementation passes the contract suites of
 * {@code outledger-contracts}.
 */
@NullMarked
package io.outledger.store;

import org.jspecify.annotations.NullMarked;
