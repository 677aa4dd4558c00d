// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot.test;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MutablePropertySources;
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
    return !(context.getEnvironment() instanceof ConfigurableEnvironment environment)
        || ofTests(environment.getPropertySources()).stream()
            .noneMatch(source -> source.containsProperty(URL));
  }

  private static List<? extends PropertySource<?>> ofTests(MutablePropertySources all) {
    Set<Object> names = new HashSet<>(OF_TESTS);
    PropertySource<?> ours = all.get(OutledgerTestCustomizer.SOURCE);
    if (ours != null && ours.getProperty(OutledgerTestCustomizer.FILES) instanceof List<?> files) {
      names.addAll(files);
    }
    return all.stream().filter(each -> names.contains(each.getName())).toList();
  }
}
