// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.jdbc.Outledger;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** The actuator endpoints: one that reads, and one that changes, which is off by default. */
@AutoConfiguration(after = OutledgerAutoConfiguration.class)
@ConditionalOnClass(
    name = {
      "org.springframework.boot.actuate.endpoint.annotation.Endpoint",
      "org.springframework.boot.actuate.autoconfigure.endpoint.condition"
          + ".ConditionalOnAvailableEndpoint"
    })
@ConditionalOnBean(Outledger.class)
public class OutledgerEndpointAutoConfiguration {

  /** Creates it. */
  public OutledgerEndpointAutoConfiguration() {}

  @Bean
  @ConditionalOnAvailableEndpoint(endpoint = OutledgerEndpoint.class)
  OutledgerEndpoint outledgerEndpoint(
      Outledger outledger,
      RelayProgress progress,
      ReceiverDefinitions consumers,
      ObjectProvider<OutledgerReceivers> receivers) {
    return new OutledgerEndpoint(outledger, progress, consumers, receivers);
  }

  @Bean
  @ConditionalOnAvailableEndpoint(endpoint = OutledgerRequestsEndpoint.class)
  OutledgerRequestsEndpoint outledgerRequestsEndpoint(
      Outledger outledger, ReceiverDefinitions consumers) {
    return new OutledgerRequestsEndpoint(outledger, consumers);
  }

  @Bean
  @ConditionalOnAvailableEndpoint(endpoint = OutledgerRequestsEndpoint.class)
  OutledgerRequestsWebExtension outledgerRequestsWebExtension(OutledgerRequestsEndpoint endpoint) {
    return new OutledgerRequestsWebExtension(endpoint);
  }
}
