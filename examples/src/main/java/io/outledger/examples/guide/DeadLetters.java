// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.store.ParkedState;

/** How dead letters are brought back. */
final class DeadLetters {

  private DeadLetters() {}

  static int bringBack(Outledger outledger) {
    var dead =
        ParkedQuery.of(Reader.subscription("kafka")).with(ParkedSelection.of(ParkedState.DEAD));
    for (var one : outledger.admin().parked(dead).rows()) {
      System.out.println(one.message().id() + ": " + one.error());
    }
    int requested =
        outledger.parkedMessages("kafka").retryAll(); // once you have fixed what the errors say
    return requested;
  }
}
