// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.outledger.micrometer.OutledgerMeters;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Meters, where Micrometer is there. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "io.micrometer.core.instrument.MeterRegistry")
class MetersConfiguration {

  /** For the application's receivers as well. Without a registry it counts nothing. */
  @Bean
  @ConditionalOnMissingBean
  OutledgerMeters outledgerMeters(ObjectProvider<MeterRegistry> registry) {
    return new OutledgerMeters(registry.getIfUnique(CompositeMeterRegistry::new));
  }

  @Bean
  RelayListenerSource outledgerRelayMeters(OutledgerMeters meters) {
    return meters::ofRelay;
  }
}
