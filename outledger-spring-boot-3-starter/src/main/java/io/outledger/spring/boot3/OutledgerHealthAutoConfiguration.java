// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.spring.boot.OutledgerAutoConfiguration;
import io.outledger.spring.boot.RelayProgress;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Says that the application is not well where one of its relays does not get on. */
@AutoConfiguration(after = OutledgerAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(RelayProgress.class)
@ConditionalOnEnabledHealthIndicator("outledger")
public class OutledgerHealthAutoConfiguration {

  private static final Status AWAY = new Status("AWAY");

  /** Creates it. */
  public OutledgerHealthAutoConfiguration() {}

  /**
   * Says of a group of its own whether destinations and brokers can be reached. Its status {@code
   * AWAY} is in nobody's order, so it changes neither the whole nor a probe that does not name it.
   */
  @Bean
  HealthIndicator outledgerDestinationsHealthIndicator(RelayProgress progress) {
    return () ->
        (progress.reachesDestinations() ? Health.up() : Health.status(AWAY))
            .withDetails(progress.details())
            .build();
  }

  @Bean
  HealthIndicator outledgerHealthIndicator(RelayProgress progress) {
    return () ->
        (progress.isWell() ? Health.up() : Health.down()).withDetails(progress.details()).build();
  }
}
