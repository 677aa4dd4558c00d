// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot.test;

import java.util.HashMap;
import java.util.Map;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Turns off what runs in the background, and leaves out components where the test is a slice. It is
 * a part of the key under which Spring keeps contexts.
 *
 * @param isSlice whether components are left out
 */
record OutledgerTestCustomizer(boolean isSlice) implements ContextCustomizer {

  private static final String INITIALIZATION = "outledger.schema-initialization";

  @Override
  public void customizeContext(
      ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
    ConfigurableEnvironment environment = context.getEnvironment();
    Map<String, Object> properties = new HashMap<>(Map.of("outledger.relay.enabled", "false"));
    if (!environment.containsProperty(INITIALIZATION)) {
      properties.put(INITIALIZATION, "always");
    }
    environment.getPropertySources().addFirst(new MapPropertySource("outledgerTest", properties));
    if (isSlice) {
      context.getBeanFactory().registerSingleton(SliceFilter.class.getName(), new SliceFilter());
    }
  }
}
