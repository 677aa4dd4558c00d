// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.env.Environment;

/**
 * Boot's properties below a prefix. They are read here, because Boot's own classes for them need
 * its modules for each broker, and have moved between its lines.
 */
final class SpringProperties {

  private static final Bindable<Map<String, String>> TEXTS =
      Bindable.mapOf(String.class, String.class);

  private final Binder binder;
  private final String prefix;

  private SpringProperties(Binder binder, String prefix) {
    this.binder = binder;
    this.prefix = prefix;
  }

  /**
   * Returns properties.
   *
   * @param first properties that go before those of the application
   * @param prefix such as {@code spring.kafka}
   */
  static SpringProperties of(Environment environment, Map<String, String> first, String prefix) {
    List<ConfigurationPropertySource> sources = new ArrayList<>();
    sources.add(new MapConfigurationPropertySource(first));
    ConfigurationPropertySources.get(environment).forEach(sources::add);
    return new SpringProperties(
        new Binder(sources, new PropertySourcesPlaceholdersResolver(environment)), prefix);
  }

  /** Returns the properties below one of these. */
  SpringProperties under(String name) {
    return new SpringProperties(binder, prefix + "." + name);
  }

  /** Returns a property's whole name. */
  String name(String name) {
    return prefix + "." + name;
  }

  Optional<String> text(String name) {
    return value(name, String.class).filter(text -> !text.isEmpty());
  }

  <T> Optional<T> value(String name, Class<T> type) {
    return Optional.ofNullable(binder.bind(name(name), Bindable.of(type)).orElse(null));
  }

  boolean isTrue(String name) {
    return value(name, Boolean.class).orElse(false);
  }

  List<String> texts(String name) {
    return binder.bind(name(name), Bindable.listOf(String.class)).orElseGet(List::of);
  }

  Map<String, String> map(String name) {
    return binder.bind(name(name), TEXTS).orElseGet(Map::of);
  }
}
