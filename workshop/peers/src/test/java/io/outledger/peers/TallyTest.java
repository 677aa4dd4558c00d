// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TallyTest {

  private final AtomicInteger firsts = new AtomicInteger();
  private final Tally tally = new Tally(30, firsts::incrementAndGet);

  @Test
  void messageAfterALaterOneOfItsKeyIsReordered() {
    // Ten numbers share a key: 1 to 9, 10 to 19 and 20 to 29.
    tally.receive(12);
    tally.receive(21);
    tally.receive(11);

    assertThat(tally.reordered()).isEqualTo(1);
  }

  @Test
  void messageThatComesAgainIsADuplicateAndNothingElse() throws InterruptedException {
    for (int number = 1; number <= 30; number++) {
      tally.receive(number);
    }
    tally.receive(1);

    assertThat(tally.published()).isEqualTo(30);
    assertThat(tally.duplicates()).isEqualTo(1);
    assertThat(tally.reordered()).isZero();
    assertThat(firsts).hasValue(1);
    assertThat(tally.awaitAll(0)).isTrue();
  }

  @Test
  void lastOneIsWaitedFor() throws InterruptedException {
    assertThat(tally.awaitAny(0)).isFalse();

    tally.receive(1);

    assertThat(tally.awaitAny(0)).isTrue();
    assertThat(tally.awaitAll(0)).isFalse();
  }

  @Test
  void numberBeyondThoseExpectedIsSomebodyElses() throws InterruptedException {
    tally.receive(31);

    assertThat(tally.published()).isZero();
    assertThat(tally.awaitAny(0)).isFalse();
    assertThat(firsts).hasValue(0);
  }

  @Test
  void messageThatWasNotCommittedIsNoticed() {
    assertThat(tally.hasLost()).isFalse();

    tally.receive(NumberedMessage.LOST.number());

    assertThat(tally.hasLost()).isTrue();
    assertThat(tally.published()).isZero();
  }
}
