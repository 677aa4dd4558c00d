// SPDX-License-Identifier: Apache-2.0
/**
 * Outledger without servers, for the tests of applications and of Outledger itself.
 *
 * <p>Most tests need {@link InMemoryOutbox} alone. {@link InMemoryLedger}, {@link
 * RecordingPublisher} and {@link SettableClock} run a real relay one step at a time, through late
 * commits, roll-backs, lost replies and outages. Nothing here does I/O, starts a thread or reads a
 * clock, so that a test gives the same result each time.
 */
@NullMarked
package io.outledger.testing;

import org.jspecify.annotations.NullMarked;
