// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** That a message at which the line breaks each time holds up no others, and is parked. */
abstract class CutLineContractTests extends PublisherContractTests {

  private static final String CUT = "cut-here";

  /** A machine that is very busy takes long to open a client, and must not be taken for a fault. */
  private static final Duration DELIVERY_TIME_MAX = SHORT_DELIVERY_TIME_MAX.multipliedBy(2);

  @Test
  void messageAtWhichTheLineBreaksEachTimeIsParkedAndAllOthersArriveInOrder()
      throws InterruptedException {
    List<Message> others = messages(50, 10);
    Message first = message("first");
    Message poison = message(CUT);
    try (PoisonTrial trial = PoisonTrial.start(fixture().publisher(), DELIVERY_TIME_MAX)) {
      trial.append(List.of(first));
      arrivalsOf(List.of(first));
      fixture().cutAt(CUT);
      List<Message> all = new ArrayList<>(others);
      all.add(0, poison);
      trial.append(all);
      others.addAll(trial.awaitOnlyParked(poison, () -> message("another")));
      assertArrivedInOrder(others);
    }
  }
}
