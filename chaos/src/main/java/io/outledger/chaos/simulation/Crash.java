// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

/**
 * The end of a simulated process, thrown out of the calls of its store: a publisher may throw
 * nothing that ends a relay. Whatever the process still tries is without effect.
 */
final class Crash extends Error {

  private static final long serialVersionUID = 1L;

  Crash(String where) {
    super("crashed " + where, null, false, false);
  }
}
