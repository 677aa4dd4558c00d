// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.outledger.AppendListener;
import io.outledger.jdbc.Outledger;
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

  /** Reads only where somebody collects meters. */
  @Bean
  OutledgerGauges outledgerGauges(
      ObjectProvider<Outledger> outledger,
      ObjectProvider<MeterRegistry> registry,
      OutledgerProperties properties) {
    return new OutledgerGauges(outledger, registry, properties.meters().interval());
  }

  @Bean
  AppendListener outledgerAppendMeters(OutledgerMeters meters) {
    return meters.ofAppends();
  }

  @Bean
  RelayListenerSource outledgerRelayMeters(OutledgerMeters meters) {
    return meters::ofRelay;
  }

  @Bean
  ReceiverListenerSource outledgerReceiverMeters(OutledgerMeters meters) {
    return meters::ofReceiver;
  }
}
