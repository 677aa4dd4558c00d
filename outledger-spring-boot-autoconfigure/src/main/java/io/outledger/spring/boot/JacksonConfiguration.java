// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.event.PayloadSerializer;
import io.outledger.jackson.JacksonSerializer;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Payloads as JSON, where outledger-jackson is on the class path. It names none of Jackson's own
 * types, since an application may have Jackson 3 alone.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "io.outledger.jackson.JacksonSerializer")
class JacksonConfiguration {

  @Bean
  @ConditionalOnMissingBean(PayloadSerializer.class)
  PayloadSerializer outledgerSerializer() {
    JacksonSerializer.checkClassPath();
    return new BackgroundSerializer(JacksonSerializer::create);
  }
}
