// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.context.SetTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseClockTest {

  private final SetTime time = new SetTime();
  private final LeaseClock clock = new LeaseClock(time, Duration.ofNanos(300), 1_000);

  @Test
  void lastsForNineTenthsOfTheLeaseFromBeforeItWasAskedFor() {
    time.nanos = 1_269;
    assertThat(clock.leftNanos()).isEqualTo(1);
    assertThat(clock.isValid()).isTrue();
    time.nanos = 1_270;
    assertThat(clock.isValid()).isFalse();
  }

  @Test
  void isToBeRenewedAfterAThird() {
    time.nanos = 1_099;
    assertThat(clock.renewalIsDue()).isFalse();
    time.nanos = 1_100;
    assertThat(clock.renewalIsDue()).isTrue();
    clock.renewed(1_050);
    assertThat(clock.renewalIsDue()).isFalse();
    assertThat(clock.leftNanos()).isEqualTo(220);
  }

  @Test
  void leavesNoTimeToWorkFromWhenItIsToBeRenewedUntilItIs() {
    time.nanos = 1_050;
    clock.renewed(1_040);
    time.nanos = 1_139;
    assertThat(clock.leavesTimeToWork()).isTrue();
    time.nanos = 1_140;
    assertThat(clock.leavesTimeToWork()).isFalse();
    clock.renewed(1_140);
    assertThat(clock.leavesTimeToWork()).isTrue();
  }

  @Test
  void leavesATenthOfItselfToWorkAfterARenewalThatTookLong() {
    time.nanos = 1_150;
    clock.renewed(1_000);
    time.nanos = 1_179;
    assertThat(clock.leavesTimeToWork()).isTrue();
    time.nanos = 1_180;
    assertThat(clock.leavesTimeToWork()).isFalse();
  }

  @Test
  void leavesNoTimeToWorkAfterARenewalThatTookAllOfIt() {
    time.nanos = 1_269;
    clock.renewed(1_000);
    assertThat(clock.leavesTimeToWork()).isTrue();
    time.nanos = 1_270;
    assertThat(clock.leavesTimeToWork()).isFalse();
  }
}
