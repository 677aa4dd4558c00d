// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.event.PayloadSerializer;
import io.outledger.jackson3.Jackson3Serializer;
import io.outledger.spring.boot.OutledgerProperties.JsonProperties;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;
import tools.jackson.databind.JacksonModule;

/** What Jackson 3 has in the application: its modules and its mapper. */
final class ApplicationJson3 {

  private static final String KOTLIN = "tools.jackson.module.kotlin.KotlinModule";

  private ApplicationJson3() {}

  /** Makes the serializer. */
  static PayloadSerializer serializer(ListableBeanFactory beans, JsonProperties json) {
    return switch (json.mapper()) {
      case OWN -> {
        JacksonModule[] modules = modules(beans);
        yield json.strict()
            ? Jackson3Serializer.strict(modules)
            : Jackson3Serializer.create(modules);
      }
      case APPLICATION ->
          Jackson3Serializer.on(beans.getBean(tools.jackson.databind.json.JsonMapper.class));
    };
  }

  private static JacksonModule[] modules(ListableBeanFactory beans) {
    return Stream.concat(
            beans.getBeanProvider(JacksonModule.class).orderedStream(),
            ServiceLoader.load(JacksonModule.class, ClassUtils.getDefaultClassLoader()).stream()
                .filter(module -> module.type().getName().equals(KOTLIN))
                .map(ServiceLoader.Provider::get))
        .toArray(JacksonModule[]::new);
  }

  /**
   * Checks that there is a mapper where the application's is wanted.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if there is none
   */
  static void checkMapper(ListableBeanFactory beans) {
    JacksonConfiguration.requireBean(beans, tools.jackson.databind.json.JsonMapper.class);
  }
}
