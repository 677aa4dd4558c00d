// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Observations, where Micrometer is there. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "io.micrometer.observation.ObservationRegistry")
class ObservationConfiguration {

  @Bean
  MessageObservations outledgerObservations(ObjectProvider<ObservationRegistry> registry) {
    ObservationRegistry found = registry.getIfUnique();
    return found == null ? MessageObservations.NONE : new MicrometerObservations(found);
  }
}
