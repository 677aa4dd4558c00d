// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import io.outledger.testing.RecordingPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A destination that the test can look at. */
@Configuration(proxyBeanMethods = false)
public class RecordingConfiguration {

  /** Creates it. */
  public RecordingConfiguration() {}

  @Bean
  RecordingPublisher recording() {
    return new RecordingPublisher();
  }
}
