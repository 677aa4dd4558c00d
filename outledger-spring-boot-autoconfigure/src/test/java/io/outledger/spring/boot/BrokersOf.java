// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.util.HashMap;
import java.util.Map;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** An application's properties and beans, as far as publishers and receivers see them. */
final class BrokersOf {

  private final StandardEnvironment environment = new StandardEnvironment();
  private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

  private BrokersOf(String... properties) {
    Map<String, Object> all = new HashMap<>();
    for (String each : properties) {
      int equals = each.indexOf('=');
      all.put(each.substring(0, equals), each.substring(equals + 1));
    }
    environment.getPropertySources().addFirst(new MapPropertySource("test", all));
  }

  static BrokersOf properties(String... properties) {
    return new BrokersOf(properties);
  }

  /** Adds the process's environment, with one variable. */
  BrokersOf variable(String name, String value) {
    environment
        .getPropertySources()
        .addLast(
            new SystemEnvironmentPropertySource(
                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, Map.of(name, value)));
    return this;
  }

  /** Adds a bean. */
  BrokersOf bean(String name, Object bean) {
    beans.registerSingleton(name, bean);
    return this;
  }

  /** Adds the SSL bundles {@code used} and {@code other}. */
  BrokersOf bundles(SslBundle used, SslBundle other) {
    DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry();
    bundles.registerBundle("used", used);
    bundles.registerBundle("other", other);
    return bean(SslBundles.class.getName(), bundles);
  }

  BrokerSources sources() {
    return new BrokerSources(beans, environment);
  }

  StandardEnvironment environment() {
    return environment;
  }

  OutledgerProperties outledger() {
    return Binder.get(environment)
        .bindOrCreate("outledger", Bindable.of(OutledgerProperties.class));
  }

  DefaultListableBeanFactory beans() {
    return beans;
  }

  ConfiguredPublishers publishers() {
    return new ConfiguredPublishers(outledger(), sources());
  }

  ConfiguredReceivers receivers() {
    return new ConfiguredReceivers(outledger(), sources());
  }
}
