// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.spring.boot.RelayProgress;
import io.outledger.spring.contract.AwayDestination;
import io.outledger.spring.contract.RecordingConfiguration;
import io.outledger.spring.contract.RefusedRelay;
import io.outledger.spring.contract.RunningShop;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.HttpCodeStatusMapper;
import org.springframework.boot.actuate.health.SimpleStatusAggregator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.actuate.health.StatusAggregator;

/** What the health indicator makes of the relays of this process. */
class Health35IT {

  @Test
  void itIsDownWhileARelayIsRefusedAndUpAgainOnceItRuns() {
    try (RunningShop shop =
        RunningShop.start(
            List.of(RecordingConfiguration.class), "outledger.schema-initialization=always")) {
      HealthIndicator indicator =
          shop.context().getBean("outledgerHealthIndicator", HealthIndicator.class);
      RelayProgress progress = shop.bean(RelayProgress.class);
      assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);

      RefusedRelay.tell(progress, "other");
      assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
      assertThat(indicator.health().getDetails()).containsKey("other");

      RefusedRelay.replace(progress, "other");
      assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
    }
  }

  @Test
  void aDestinationThatIsAwayIsToldToItsOwnGroupAndLeavesTheWholeUp() {
    try (RunningShop shop =
        RunningShop.start(
            List.of(RecordingConfiguration.class), "outledger.schema-initialization=always")) {
      HealthIndicator own =
          shop.context().getBean("outledgerDestinationsHealthIndicator", HealthIndicator.class);
      assertThat(own.health().getStatus()).isEqualTo(Status.UP);
      AwayDestination other = new AwayDestination(shop);

      Status away = own.health().getStatus();
      assertThat(away.getCode()).isEqualTo("AWAY");
      assertThat(own.health().getDetails()).containsKey("other");
      assertThat(StatusAggregator.getDefault().getAggregateStatus(Status.UP, away))
          .isEqualTo(Status.UP);
      assertThat(new SimpleStatusAggregator("AWAY", "UP").getAggregateStatus(Status.UP, away))
          .isEqualTo(away);
      assertThat(HttpCodeStatusMapper.DEFAULT.getStatusCode(away)).isEqualTo(200);
      other.isBack();
      assertThat(own.health().getStatus()).isEqualTo(Status.UP);
    }
  }
}
