// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.env.Environment;

/**
 * What brokers' publishers and receivers are made of, besides their own properties: Boot's
 * properties, connections of containers, SSL bundles and beans. Keeps the clients that were made
 * for them, and closes them.
 */
final class BrokerSources implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BrokerSources.class);

  private final ListableBeanFactory beans;
  private final Environment environment;
  private final List<AutoCloseable> clients = new ArrayList<>();

  BrokerSources(ListableBeanFactory beans, Environment environment) {
    this.beans = beans;
    this.environment = environment;
  }

  Environment environment() {
    return environment;
  }

  /** Returns how a broker is reached, where a container says so. */
  Optional<BrokerConnection> connection(String broker) {
    return beans
        .getBeanProvider(BrokerConnection.class)
        .orderedStream()
        .filter(each -> each.broker().equals(broker))
        .findFirst();
  }

  /** Returns Boot's properties of a broker, as a container's connection changes them. */
  SpringProperties properties(String broker, String prefix) {
    return SpringProperties.of(
        environment,
        connection(broker).map(BrokerConnection::properties).orElseGet(Map::of),
        prefix);
  }

  /**
   * Returns the SSL bundle of a broker: the publisher's or receiver's own, or the container's, or
   * that of Boot's properties.
   *
   * @param property the name of the own property, and its value
   * @throws ConfigurationException {@code OUT-021} if there is none of that name
   */
  Optional<SslBundle> bundle(
      String broker, String property, @Nullable String own, SpringProperties spring) {
    if (own != null) {
      return Optional.of(bundle(property, own));
    }
    Optional<SslBundle> given = connection(broker).map(BrokerConnection::sslBundle);
    return given.isPresent()
        ? given
        : spring.text("ssl.bundle").map(name -> bundle(spring.name("ssl.bundle"), name));
  }

  /**
   * Returns an SSL bundle, which follows the changes of its files if Boot does.
   *
   * @param property the name of the property that names it
   * @throws ConfigurationException {@code OUT-021} if there is none of that name
   */
  SslBundle bundle(String property, String name) {
    SslBundles bundles = beans.getBeanProvider(SslBundles.class).getIfAvailable();
    try {
      if (bundles != null) {
        bundles.getBundle(name);
        return new LiveBundle(() -> bundles.getBundle(name));
      }
    } catch (NoSuchSslBundleException e) {
      // Said below.
    }
    throw invalid(
        property
            + " is "
            + name
            + ", and there is no SSL bundle of that name: define one below spring.ssl.bundle");
  }

  /**
   * Returns a bean.
   *
   * @param type its type
   * @param property the property that may name it
   * @param name the bean's name; null for the only one or the primary one
   * @throws ConfigurationException {@code OUT-021} if there is none, or there are several
   */
  <T> T bean(Class<T> type, String property, @Nullable String name) {
    try {
      if (name != null) {
        return beans.getBean(name, type);
      }
    } catch (NoSuchBeanDefinitionException e) {
      throw invalid(
          property
              + " is "
              + name
              + ", and no bean of type "
              + type.getSimpleName()
              + " has that name; there are "
              + names(type));
    }
    T only = beans.getBeanProvider(type).getIfUnique();
    if (only == null) {
      throw invalid(
          names(type).isEmpty()
              ? "needs a bean of type " + type.getSimpleName() + ", and there is none"
              : "needs a bean of type "
                  + type.getSimpleName()
                  + ", and there are "
                  + names(type)
                  + ": name one in "
                  + property);
    }
    return only;
  }

  /** Says whether there is a bean of a type, or several. */
  boolean has(Class<?> type) {
    return !names(type).isEmpty();
  }

  /** Returns the only or primary bean of a type, if there is one. */
  <T> Optional<T> bean(Class<T> type) {
    return Optional.ofNullable(beans.getBeanProvider(type).getIfUnique());
  }

  private List<String> names(Class<?> type) {
    return List.of(beans.getBeanNamesForType(type));
  }

  /** Keeps a client, to close it at the end. */
  synchronized <T extends AutoCloseable> T kept(T client) {
    clients.add(client);
    return client;
  }

  @Override
  public synchronized void close() {
    for (AutoCloseable client : clients) {
      try {
        client.close();
      } catch (Exception e) {
        LOG.warn("a client of a broker could not be closed", Printable.trace(e));
      }
    }
    clients.clear();
  }

  static ConfigurationException invalid(String text) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, text);
  }
}
