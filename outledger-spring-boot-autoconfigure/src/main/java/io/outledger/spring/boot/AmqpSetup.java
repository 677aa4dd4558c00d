// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.amqp.AmqpBroker;
import io.outledger.amqp.AmqpPublisher;
import io.outledger.amqp.AmqpReceiver;
import io.outledger.publish.Publisher;
import io.outledger.receive.BrokerReceiver;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.apache.qpid.protonj2.client.ConnectionOptions;
import org.jspecify.annotations.Nullable;

/** A broker of AMQP 1.0, by properties of Outledger. */
final class AmqpSetup implements ReceivingBroker {

  private static final Map<String, Integer> PORTS = Map.of("amqp", 5672, "amqps", 5671);

  private final BrokerSources sources;

  AmqpSetup(BrokerSources sources) {
    this.sources = sources;
  }

  @Override
  public Publisher publisher(PublisherProperties properties, String path) {
    PublisherProperties.Amqp own = Objects.requireNonNull(properties.amqp());
    AmqpPublisher publisher =
        AmqpPublisher.to(broker(path, own.broker()))
            .source(properties.source())
            .addresses(Naming.of(path + ".address", own.address()));
    return own.capability() == null ? publisher : publisher.capability(own.capability());
  }

  @Override
  public BrokerReceiver<?> receiver(
      Supplier<String> consumer, ReceiverProperties properties, String path) {
    ReceiverProperties.Amqp own = Objects.requireNonNull(properties.amqp());
    AmqpReceiver receiver =
        AmqpReceiver.from(
            broker(path, own.broker()), Required.text(path, "address", own.address()));
    if (own.capability() != null) {
      receiver = receiver.capability(own.capability());
    }
    String origin = properties.origin();
    return origin == null ? receiver : receiver.origin(origin);
  }

  private AmqpBroker broker(String path, BrokerAddress address) {
    BrokerAddress.Server server = address.server(path, PORTS, "amqps");
    SSLContext tls =
        address.sslBundle() == null
            ? null
            : sources.bundle(path + ".ssl-bundle", address.sslBundle()).createSslContext();
    return AmqpBroker.at(server.host(), server.port())
        .client(options -> options(options, address, server.isTls(), tls));
  }

  private static ConnectionOptions options(
      ConnectionOptions options, BrokerAddress address, boolean isTls, @Nullable SSLContext tls) {
    if (address.username() != null) {
      options.user(address.username()).password(address.password());
    }
    options.sslEnabled(isTls);
    if (tls != null) {
      options.sslOptions().sslContextOverride(tls);
    }
    return options;
  }
}
