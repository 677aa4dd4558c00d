// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.Postgres;
import org.junit.jupiter.api.Test;

class SlowHandlersIT {

  @Test
  void whatIsCarriedOutIsCountedWithItsThreads() throws Exception {
    SlowHandlersMain.Carried carried =
        SlowHandlersMain.measure(Postgres.shared(), Entrant.GRUELBOX, 100, 1);

    assertThat(carried.threads()).isEqualTo(1);
    assertThat(carried.ofPossible()).isBetween(0.01, 1.0);
  }
}
