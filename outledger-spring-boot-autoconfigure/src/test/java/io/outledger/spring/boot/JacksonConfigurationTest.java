// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

class JacksonConfigurationTest {

  /** One such signature would take down every bean of its class where that Jackson is missing. */
  @Test
  void noSignatureOfTheAutoConfigurationNamesATypeOfJackson() {
    Import imports =
        Objects.requireNonNull(OutledgerAutoConfiguration.class.getAnnotation(Import.class));
    assertThat(
            Stream.concat(
                    Stream.of(OutledgerAutoConfiguration.class, JacksonConfiguration.class),
                    Stream.of(imports.value()))
                .flatMap(each -> Stream.of(each.getDeclaredMethods()))
                .map(each -> each.toGenericString()))
        .isNotEmpty()
        .noneMatch(each -> each.contains("fasterxml") || each.contains("tools.jackson"));
  }

  /** With lazy beans, Boot makes at once what it sees to be one of these, and only that. */
  @Test
  void theCheckOfEventsAtTheStartIsSeenWhereBeansAreMadeLate() {
    assertThat(
            Stream.of(JacksonConfiguration.Two.class, JacksonConfiguration.Three.class)
                .flatMap(each -> Stream.of(each.getDeclaredMethods()))
                .filter(each -> each.isAnnotationPresent(Bean.class)))
        .hasSize(2)
        .allMatch(each -> SmartInitializingSingleton.class.isAssignableFrom(each.getReturnType()));
  }
}
