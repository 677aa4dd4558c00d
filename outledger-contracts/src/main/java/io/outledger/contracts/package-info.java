// SPDX-License-Identifier: Apache-2.0
/**
 * The contract suites: passing them is what a correct database, store, publisher, receiver or inbox
 * means.
 *
 * <p>An implementer extends {@link DatabaseContract}, {@link OperatorContract}, {@link
 * StoreContract}, {@link InboxContract}, {@link PublisherContract} or {@link ReceiverContract} with
 * a test class that hands over a fixture, and runs it with JUnit 5. A fixture may stand on a real
 * server. Where something is awaited, the patience is ample; nothing passes because a machine is
 * fast or slow.
 */
@NullMarked
package io.outledger.contracts;

import org.jspecify.annotations.NullMarked;
