// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import io.outledger.spring.boot.OutledgerAutoConfiguration;
import io.outledger.spring.boot.RelayProgress;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Says that the application is not well where one of its relays does not get on. */
@AutoConfiguration(after = OutledgerAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(RelayProgress.class)
@ConditionalOnEnabledHealthIndicator("outledger")
public class OutledgerHealthAutoConfiguration {

  /** Creates it. */
  public OutledgerHealthAutoConfiguration() {}

  @Bean
  HealthIndicator outledgerHealthIndicator(RelayProgress progress) {
    return () ->
        (progress.isWell() ? Health.up() : Health.down()).withDetails(progress.details()).build();
  }
}
