// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot.test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Whether the test leaves the choice of its database to us: it does unless it names a URL itself,
 * in its properties, in a file that it names, or in a file of a profile that it activates.
 */
class OnTestDatabase implements Condition {

  private static final Logger LOG = LoggerFactory.getLogger(OnTestDatabase.class);
  private static final String URL = "spring.datasource.url";

  /** Where a test's own properties are; an application's are elsewhere. */
  private static final List<String> OF_TESTS =
      List.of("Inlined Test Properties", "Dynamic Test Properties");

  @Override
  public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
    if (!(context.getEnvironment() instanceof ConfigurableEnvironment environment)) {
      return true;
    }
    MutablePropertySources all = environment.getPropertySources();
    if (ofTests(all).anyMatch(source -> source.containsProperty(URL))) {
      return false;
    }
    if (environment.containsProperty(URL)) {
      LOG.info(
          "the test runs on H2 in memory, and not on the application's {}: to have it run on a"
              + " database of yours, set that in the test's properties, or in the file of a profile"
              + " that it activates, such as application-test.properties with"
              + " @ActiveProfiles(\"test\")",
          URL);
    }
    return true;
  }

  private static Stream<PropertySource<?>> ofTests(MutablePropertySources all) {
    Set<Object> names = new HashSet<>(OF_TESTS);
    List<String> profiles = new ArrayList<>();
    PropertySource<?> ours = all.get(OutledgerTestCustomizer.SOURCE);
    if (ours != null) {
      names.addAll(texts(ours, OutledgerTestCustomizer.FILES));
      profiles.addAll(texts(ours, OutledgerTestCustomizer.PROFILES));
    }
    return all.stream()
        .filter(
            each ->
                names.contains(each.getName())
                    || profiles.stream().anyMatch(profile -> isOf(profile, each.getName())));
  }

  private static List<String> texts(PropertySource<?> ours, String name) {
    return ours.getProperty(name) instanceof List<?> all
        ? all.stream().map(String::valueOf).toList()
        : List.of();
  }

  /** Boot names a file's source after the file, such as {@code application-test.yaml}. */
  private static boolean isOf(String profile, String source) {
    return source.contains("-" + profile + ".");
  }
}
