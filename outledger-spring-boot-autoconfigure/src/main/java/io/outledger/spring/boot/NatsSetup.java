// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.nats.client.Options;
import io.outledger.nats.NatsPublisher;
import io.outledger.nats.NatsReceiver;
import io.outledger.publish.Publisher;
import io.outledger.receive.BrokerReceiver;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** NATS JetStream, by properties of Outledger or the application's options of its client. */
final class NatsSetup implements ReceivingBroker {

  private final BrokerSources sources;

  NatsSetup(BrokerSources sources) {
    this.sources = sources;
  }

  @Override
  public Publisher publisher(PublisherProperties properties, String path) {
    PublisherProperties.Nats own = Objects.requireNonNull(properties.nats());
    return NatsPublisher.with(options(path, own.address(), own.credentialsFile()))
        .source(properties.source())
        .subjects(Naming.of(path + ".subject", own.subject()));
  }

  @Override
  public BrokerReceiver<?> receiver(
      Supplier<String> consumer, ReceiverProperties properties, String path) {
    ReceiverProperties.Nats own = Objects.requireNonNull(properties.nats());
    NatsReceiver receiver =
        NatsReceiver.of(
                options(path, own.address(), own.credentialsFile()),
                Required.text(path, "stream", own.stream()),
                Objects.requireNonNullElseGet(own.durable(), consumer))
            .ackWait(own.ackWait());
    if (own.subjects() != null) {
      receiver = receiver.subjects(own.subjects());
    }
    String origin = properties.origin();
    return origin == null ? receiver : receiver.origin(origin);
  }

  private Options options(String path, BrokerAddress address, @Nullable String credentials) {
    if (address.url() == null && sources.bean(Options.class).isPresent()) {
      return sources.bean(Options.class, path + ".url", null);
    }
    Options.Builder options =
        new Options.Builder().servers(servers(path, Required.text(path, "url", address.url())));
    if (address.username() != null) {
      options.userInfo(address.username(), Required.text(path, "password", address.password()));
    }
    if (credentials != null) {
      options.credentialPath(credentials);
    }
    if (address.sslBundle() != null) {
      options.sslContext(
          sources.bundle(path + ".ssl-bundle", address.sslBundle()).createSslContext());
    }
    return options.build();
  }

  private static String[] servers(String path, String url) {
    String[] servers = url.split("\\s*,\\s*");
    for (String each : servers) {
      if (!each.matches("(nats|tls|opentls|ws|wss)://[^@\\s]+")) {
        throw BrokerSources.invalid(
            path
                + ".url must be nats://host:4222 or tls://host:4222, several with commas, without"
                + " user and password, which have properties of their own");
      }
    }
    return servers;
  }
}
