// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.io.support.PropertySourceDescriptor;
import org.springframework.core.io.support.ResourcePatternResolver;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Turns off what runs in the background, and leaves out components where the test is a slice. It is
 * a part of the key under which Spring keeps contexts.
 *
 * @param isSlice whether components are left out
 */
record OutledgerTestCustomizer(boolean isSlice) implements ContextCustomizer {

  /** What is set for all of these tests. */
  static final String SOURCE = "outledgerTest";

  /** The property there with the names of the sources that a test's own files make. */
  static final String FILES = "test.property-files";

  /** The property there with the profiles that a test activates. */
  static final String PROFILES = "test.profiles";

  private static final String INITIALIZATION = "outledger.schema-initialization";

  /** A test fails where an event could not be read; a start need not wait for it. */
  private static final String CHECK = "outledger.json.check-at-start";

  @Override
  public void customizeContext(
      ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
    ConfigurableEnvironment environment = context.getEnvironment();
    Map<String, Object> properties =
        new HashMap<>(
            Map.of("outledger.relay.enabled", "false", "outledger.receiving.enabled", "false"));
    ifUnset(environment, INITIALIZATION, "always", properties);
    ifUnset(environment, CHECK, "true", properties);
    properties.put(FILES, files(configuration.getPropertySourceDescriptors()));
    properties.put(PROFILES, List.of(configuration.getActiveProfiles()));
    environment.getPropertySources().addFirst(new MapPropertySource(SOURCE, properties));
    if (isSlice) {
      context.getBeanFactory().registerSingleton(SliceFilter.class.getName(), new SliceFilter());
    }
  }

  private static void ifUnset(
      ConfigurableEnvironment environment,
      String name,
      String value,
      Map<String, Object> properties) {
    if (!environment.containsProperty(name)) {
      properties.put(name, value);
    }
  }

  // Spring names a file's source after the description of the file.
  private static List<String> files(List<PropertySourceDescriptor> named) {
    ResourcePatternResolver files = new PathMatchingResourcePatternResolver();
    List<String> names = new ArrayList<>();
    for (PropertySourceDescriptor each : named) {
      try {
        for (String location : each.locations()) {
          Stream.of(files.getResources(location)).map(Resource::getDescription).forEach(names::add);
        }
      } catch (IOException e) {
        throw new UncheckedIOException("@TestPropertySource names " + each.locations(), e);
      }
    }
    return names;
  }
}
