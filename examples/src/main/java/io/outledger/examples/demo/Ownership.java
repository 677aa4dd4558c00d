// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.examples.RelayVoice;

/** Which process publishes a ledger now; told by the relays' output, so on other threads. */
final class Ownership {

  private volatile String owner = "";

  /** Returns its name; empty where none is known to. */
  String owner() {
    return owner;
  }

  /** Takes what the relay of a process says. */
  void heard(String process, String said) {
    if (said.equals(RelayVoice.PUBLISHING)) {
      owner = process;
    } else if (said.equals(RelayVoice.STANDING_BY) && owner.equals(process)) {
      owner = "";
    }
  }

  /** Takes note that the owner was killed. */
  void ended() {
    owner = "";
  }
}
