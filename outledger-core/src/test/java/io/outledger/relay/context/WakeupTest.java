// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WakeupTest {

  private final Wakeup wakeup = new Wakeup();

  @Test
  void anyNumberOfSignalsEndsOneWait() throws InterruptedException {
    assertThat(wakeup.await(Duration.ZERO)).isFalse();
    wakeup.signal();
    wakeup.signal();
    assertThat(wakeup.await(Duration.ofMinutes(1))).isTrue();
    assertThat(wakeup.await(Duration.ZERO)).isFalse();
  }
}
