// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outledger.event.PayloadSerializer;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.spring.boot.OutledgerProperties.JsonProperties;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * What Jackson 2 has in the application: its modules and its mapper. It names Jackson's types, so
 * it is loaded when the serializer is made, and not where Jackson 2 is missing.
 */
final class ApplicationJson {

  /**
   * The modules that are taken from the class path, as Spring Boot 3 does, beside those that every
   * serializer has. Others, such as those for JAXB's annotations, change names: they must be beans.
   */
  private static final Set<String> OF_THE_CLASS_PATH =
      Set.of(
          "com.fasterxml.jackson.module.kotlin.KotlinModule",
          "com.fasterxml.jackson.datatype.joda.JodaModule");

  private ApplicationJson() {}

  /** Makes the serializer. */
  static PayloadSerializer serializer(ListableBeanFactory beans, JsonProperties json) {
    return switch (json.mapper()) {
      case OWN -> {
        Module[] modules = modules(beans).toArray(Module[]::new);
        yield json.strict() ? JacksonSerializer.strict(modules) : JacksonSerializer.create(modules);
      }
      case APPLICATION -> JacksonSerializer.on(beans.getBean(ObjectMapper.class));
    };
  }

  private static List<Module> modules(ListableBeanFactory beans) {
    return Stream.concat(
            beans.getBeanProvider(Module.class).orderedStream(),
            ServiceLoader.load(Module.class, ClassUtils.getDefaultClassLoader()).stream()
                .filter(module -> OF_THE_CLASS_PATH.contains(module.type().getName()))
                .map(ServiceLoader.Provider::get))
        .toList();
  }

  /**
   * Checks that there is a mapper where the application's is wanted.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if there is none
   */
  static void checkMapper(ListableBeanFactory beans) {
    JacksonConfiguration.requireBean(beans, ObjectMapper.class);
  }
}
