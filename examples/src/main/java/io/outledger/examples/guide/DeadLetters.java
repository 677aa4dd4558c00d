// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.ParkedStatus;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;

/** How dead letters are brought back. */
final class DeadLetters {

  private DeadLetters() {}

  static int bringBack(Outledger outledger) {
    var parked = outledger.parkedMessages("kafka");
    for (ParkedStatus dead : parked.list(ParkedState.DEAD, ParkedPlace.FIRST, 100)) {
      System.out.println(dead.place() + ": " + dead.error());
    }
    int requested = parked.retryAll(); // once you have fixed what the errors say
    return requested;
  }
}
