// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;

/** Whether it is known where Kafka is. */
class OnKafkaServers extends AnyNestedCondition {

  OnKafkaServers() {
    super(ConfigurationPhase.REGISTER_BEAN);
  }

  @ConditionalOnProperty("spring.kafka.bootstrap-servers")
  static class InProperties {}

  @ConditionalOnBean(KafkaConnection.class)
  static class FromDetails {}
}
