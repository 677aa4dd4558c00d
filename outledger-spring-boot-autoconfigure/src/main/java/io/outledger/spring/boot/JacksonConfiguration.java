// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.event.PayloadSerializer;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.spring.boot.OutledgerProperties.JsonMapper;
import io.outledger.spring.boot.OutledgerProperties.JsonProperties;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Payloads as JSON: with Jackson 3 where outledger-jackson3 is on the class path, else with Jackson
 * 2 where outledger-jackson is. No signature here names one of Jackson's types, since an
 * application may have either Jackson alone: {@link ApplicationJson} and {@link ApplicationJson3}
 * do. The beans are declared as what they are: Boot makes a bean late that it does not see to be a
 * {@code SmartInitializingSingleton}, and an event would not be checked at the start.
 */
class JacksonConfiguration {

  private JacksonConfiguration() {}

  /** With Jackson 3. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "io.outledger.jackson3.Jackson3Serializer")
  static class Three {

    @Bean
    @ConditionalOnMissingBean(PayloadSerializer.class)
    BackgroundSerializer outledgerSerializer(
        ListableBeanFactory beans, OutledgerProperties properties) {
      JsonProperties json = properties.json();
      if (json.mapper() == JsonMapper.APPLICATION) {
        ApplicationJson3.checkMapper(beans);
      }
      return new BackgroundSerializer(
          () -> ApplicationJson3.serializer(beans, json), json.checkAtStart());
    }
  }

  /** With Jackson 2. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "io.outledger.jackson.JacksonSerializer")
  static class Two {

    @Bean
    @ConditionalOnMissingBean(PayloadSerializer.class)
    BackgroundSerializer outledgerSerializer(
        ListableBeanFactory beans, OutledgerProperties properties) {
      JacksonSerializer.checkClassPath();
      JsonProperties json = properties.json();
      if (json.mapper() == JsonMapper.APPLICATION) {
        ApplicationJson.checkMapper(beans);
      }
      return new BackgroundSerializer(
          () -> ApplicationJson.serializer(beans, json), json.checkAtStart());
    }
  }

  /** Refuses the property that asks for the application's mapper where there is none. */
  static void requireBean(ListableBeanFactory beans, Class<?> mapper) {
    if (beans.getBeanNamesForType(mapper, true, false).length == 0) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "outledger.json.mapper=application, but there is no bean of type "
              + mapper.getName()
              + ": declare one, let Spring Boot do it with its starter for JSON, or leave the"
              + " property out");
    }
  }
}
