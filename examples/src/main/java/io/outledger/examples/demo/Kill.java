// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

/**
 * A process that was killed.
 *
 * @param role who
 * @param pid its process id
 * @param atMs when, since the customers began
 * @param inFlight how much it had in flight just before
 */
record Kill(String role, long pid, long atMs, long inFlight) {}
