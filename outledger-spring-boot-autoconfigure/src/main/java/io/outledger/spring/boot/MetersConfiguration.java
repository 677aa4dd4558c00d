// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Meters, where Micrometer is there. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "io.micrometer.core.instrument.MeterRegistry")
class MetersConfiguration {

  @Bean
  RelayListenerSource outledgerMeters(ObjectProvider<MeterRegistry> registry) {
    MeterRegistry found = registry.getIfUnique();
    return found == null ? subscription -> event -> {} : new OutledgerMeters(found);
  }
}
