// SPDX-License-Identifier: Apache-2.0
/**
 * Outledger in JUnit tests: {@link io.outledger.junit.OutledgerAssertions} for AssertJ, {@link
 * io.outledger.junit.InMemoryExtension} for tests without a database, and {@link
 * io.outledger.junit.OutledgerExtension} for tests with the real relay on a real database. Crash
 * tests are in {@link io.outledger.junit.crash}.
 */
@NullMarked
package io.outledger.junit;

import org.jspecify.annotations.NullMarked;
