// SPDX-License-Identifier: Apache-2.0
/**
 * The contract suites: passing them is what a correct database, store, publisher or inbox means.
 *
 * <p>An implementer extends {@link DatabaseContract}, {@link StoreContract}, {@link InboxContract}
 * or {@link PublisherContract} with a test class that hands over a fixture, and runs it with JUnit
 * 5. A fixture may stand on a real server; nothing here sleeps or reads a clock of its own.
 */
@NullMarked
package io.outledger.contracts;

import org.jspecify.annotations.NullMarked;
