// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.spring.boot.RelayProgress;
import io.outledger.spring.contract.AwayDestination;
import io.outledger.spring.contract.RecordingConfiguration;
import io.outledger.spring.contract.RefusedRelay;
import io.outledger.spring.contract.RunningShop;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/** What the health indicator makes of the relays of this process. */
class Health41IT {

  @Test
  void itIsDownWhileARelayIsRefusedAndUpAgainOnceItRuns() {
    try (RunningShop shop =
        RunningShop.start(
            List.of(RecordingConfiguration.class), "outledger.schema-initialization=always")) {
      HealthIndicator indicator =
          shop.context().getBean("outledgerHealthIndicator", HealthIndicator.class);
      RelayProgress progress = shop.bean(RelayProgress.class);
      assertThat(health(indicator).getStatus()).isEqualTo(Status.UP);

      RefusedRelay.tell(progress, "other");
      assertThat(health(indicator).getStatus()).isEqualTo(Status.DOWN);
      assertThat(health(indicator).getDetails()).containsKey("other");

      RefusedRelay.replace(progress, "other");
      assertThat(health(indicator).getStatus()).isEqualTo(Status.UP);
    }
  }

  @Test
  void aDestinationThatIsAwayIsToldToItsOwnGroupAndLeavesTheWholeUp() {
    try (RunningShop shop =
        RunningShop.start(
            List.of(RecordingConfiguration.class), "outledger.schema-initialization=always")) {
      HealthIndicator own =
          shop.context().getBean("outledgerDestinationsHealthIndicator", HealthIndicator.class);
      assertThat(health(own).getStatus()).isEqualTo(Status.UP);
      AwayDestination other = new AwayDestination(shop);

      Status away = health(own).getStatus();
      assertThat(away.getCode()).isEqualTo("AWAY");
      assertThat(health(own).getDetails()).containsKey("other");
      other.isBack();
      assertThat(health(own).getStatus()).isEqualTo(Status.UP);
    }
  }

  private static Health health(HealthIndicator indicator) {
    return Objects.requireNonNull(indicator.health());
  }
}
