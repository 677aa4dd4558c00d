// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.context.SmartLifecycle;

/** A lower phase starts earlier and stops later. */
class LifecyclesTest {

  /** In which Boot lets the last requests end, and in which its web server stops. */
  private static final int REQUESTS_END = SmartLifecycle.DEFAULT_PHASE - 1024;

  private static final int WEB_SERVER = SmartLifecycle.DEFAULT_PHASE - 2048;

  @Test
  void relaysStopAfterTheLastRequestsAndReceiversHaveAppended() {
    assertThat(OutledgerRelays.PHASE)
        .isLessThan(WEB_SERVER)
        .isLessThan(REQUESTS_END)
        .isLessThan(OutledgerReceivers.PHASE);
  }

  @Test
  void receiversStopBeforeTheWebServerAndTheirContextsOtherListeners() {
    assertThat(OutledgerReceivers.PHASE)
        .isGreaterThan(WEB_SERVER)
        .isGreaterThan(REQUESTS_END)
        .isLessThanOrEqualTo(SmartLifecycle.DEFAULT_PHASE);
  }
}
