// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot.test;

import java.util.List;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether the test leaves the choice of its database to us. */
class OnTestDatabase implements Condition {

  private static final String URL = "spring.datasource.url";

  /** Where a test's own properties are; an application's are elsewhere. */
  private static final List<String> OF_TESTS =
      List.of("Inlined Test Properties", "Dynamic Test Properties");

  @Override
  public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
    if (context.getEnvironment() instanceof ConfigurableEnvironment environment) {
      for (String name : OF_TESTS) {
        PropertySource<?> source = environment.getPropertySources().get(name);
        if (source != null && source.containsProperty(URL)) {
          return false;
        }
      }
    }
    return true;
  }
}
