// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
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
}
