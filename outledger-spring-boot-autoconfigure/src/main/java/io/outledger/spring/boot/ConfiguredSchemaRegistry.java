// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.schemaregistry.SchemaRegistry;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.function.Supplier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The schema registry of the properties, where outledger-schema-registry is on the class path. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "io.outledger.schemaregistry.SchemaRegistry")
@ConditionalOnProperty("outledger.schema-registry.url")
class ConfiguredSchemaRegistry {

  private static final String PATH = "outledger.schema-registry";

  @Bean
  @ConditionalOnMissingBean
  SchemaRegistry outledgerSchemaRegistry(OutledgerProperties properties) {
    return of(properties.schemaRegistry());
  }

  /**
   * Makes it. Nothing is asked yet.
   *
   * @throws ConfigurationException {@code OUT-021} if a value cannot be used, which is not quoted
   */
  static SchemaRegistry of(SchemaRegistryProperties properties) {
    SchemaRegistry registry =
        called(".url", () -> SchemaRegistry.at(uri(Required.text(PATH, "url", properties.url()))));
    SchemaRegistry entered = entered(registry, properties);
    return called(".answer-max", () -> entered.answerMax(properties.answerMax()));
  }

  private static SchemaRegistry entered(
      SchemaRegistry registry, SchemaRegistryProperties properties) {
    String username = properties.username();
    String password = properties.password();
    return username == null || password == null
        ? registry
        : called(".password", () -> registry.basicAuth(username, password));
  }

  private static URI uri(String url) {
    try {
      return new URI(url);
    } catch (URISyntaxException e) { // its text quotes the address
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, "it is no address such as https://registry:8081");
    }
  }

  private static SchemaRegistry called(String name, Supplier<SchemaRegistry> it) {
    try {
      return it.get();
    } catch (ConfigurationException e) {
      String why = String.valueOf(e.getMessage()).replace(e.code().code() + " ", "");
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, PATH + name + " cannot be used: " + why);
    }
  }
}
