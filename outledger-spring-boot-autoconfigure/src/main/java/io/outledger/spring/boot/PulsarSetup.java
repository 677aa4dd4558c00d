// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.publish.Publisher;
import io.outledger.pulsar.PulsarCluster;
import io.outledger.pulsar.PulsarPublisher;
import io.outledger.pulsar.PulsarReceiver;
import io.outledger.receive.BrokerReceiver;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.pulsar.client.api.Authentication;
import org.apache.pulsar.client.api.AuthenticationFactory;
import org.apache.pulsar.client.api.PulsarClientException.UnsupportedAuthenticationException;

/** Apache Pulsar, by {@code spring.pulsar.client.*} and properties of Outledger. */
final class PulsarSetup implements ReceivingBroker {

  private final BrokerSources sources;

  PulsarSetup(BrokerSources sources) {
    this.sources = sources;
  }

  @Override
  public Publisher publisher(PublisherProperties properties, String path) {
    PublisherProperties.Pulsar own = Objects.requireNonNull(properties.pulsar());
    return PulsarPublisher.to(cluster())
        .source(properties.source())
        .topics(Naming.of(path + ".topic", own.topic()));
  }

  @Override
  public BrokerReceiver<?> receiver(
      Supplier<String> consumer, ReceiverProperties properties, String path) {
    ReceiverProperties.Pulsar own = Objects.requireNonNull(properties.pulsar());
    PulsarReceiver receiver =
        PulsarReceiver.of(
            cluster(),
            Required.text(path, "topic", own.topic()),
            Objects.requireNonNullElseGet(own.subscription(), consumer));
    if (own.failover()) {
      receiver = receiver.failover();
    }
    String origin = properties.origin();
    return origin == null ? receiver : receiver.origin(origin);
  }

  private PulsarCluster cluster() {
    SpringProperties spring = sources.properties("pulsar", "spring.pulsar.client");
    PulsarCluster cluster =
        PulsarCluster.at(spring.text("service-url").orElse("pulsar://localhost:6650"));
    SpringProperties login = spring.under("authentication");
    return login
        .text("plugin-class-name")
        .map(plugin -> authentication(login, plugin))
        .map(each -> cluster.client(client -> client.authentication(each)))
        .orElse(cluster);
  }

  private static Authentication authentication(SpringProperties login, String plugin) {
    try {
      return AuthenticationFactory.create(plugin, json(login.map("param")));
    } catch (UnsupportedAuthenticationException e) {
      // Without its cause, whose text may quote a parameter.
      throw BrokerSources.invalid(
          login.name("plugin-class-name")
              + " is "
              + plugin
              + ", which cannot be made: is the class there, and are all of its parameters set in "
              + login.name("param.*")
              + "?");
    }
  }

  /** Plug-ins read their parameters as JSON, as Boot gives them. */
  private static String json(Map<String, String> parameters) {
    return parameters.entrySet().stream()
        .map(each -> quoted(each.getKey()) + ":" + quoted(each.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append("\\u%04x".formatted((int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
