// SPDX-License-Identifier: Apache-2.0
/**
 * Crash tests: a test that stops the application at each of its steps, starts it again, and checks
 * that nothing is lost and no effect happens twice. Begin with {@link
 * io.outledger.junit.crash.CrashTest}.
 */
@NullMarked
package io.outledger.junit.crash;

import org.jspecify.annotations.NullMarked;
