// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.chaos.checker.Checker;
import io.outledger.chaos.checker.Report;
import io.outledger.chaos.history.Entry;

/** Takes down what happens to one subscription: for its checker always, for a reader on request. */
final class Journal {

  private final Checker checker = new Checker();
  private final String subscription;
  private final Teller teller;

  Journal(String subscription, Teller teller) {
    this.subscription = subscription;
    this.teller = teller;
  }

  void write(Entry entry) {
    checker.accept(entry);
    if (!(entry instanceof Entry.Effect) && !(entry instanceof Entry.Stored)) {
      teller.tell(subscription, () -> Words.of(entry));
    }
  }

  Report report() {
    return checker.report();
  }
}
