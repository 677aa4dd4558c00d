// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

/**
 * The end of a simulated process, thrown out of whatever it was doing. An error, so that nothing
 * takes it for a failure to handle; whatever the process still tries is without effect.
 */
final class Crash extends Error {

  private static final long serialVersionUID = 1L;

  Crash(String where) {
    super("crashed " + where, null, false, false);
  }
}
