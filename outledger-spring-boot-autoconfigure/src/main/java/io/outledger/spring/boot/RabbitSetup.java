// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import com.rabbitmq.client.ConnectionFactory;
import io.outledger.publish.Publisher;
import io.outledger.rabbitmq.RabbitBroker;
import io.outledger.rabbitmq.RabbitPublisher;
import io.outledger.rabbitmq.RabbitReceiver;
import io.outledger.rabbitmq.RabbitRoute;
import io.outledger.receive.BrokerReceiver;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.jks.JksSslStoreBundle;
import org.springframework.boot.ssl.jks.JksSslStoreDetails;

/** RabbitMQ, by {@code spring.rabbitmq.*} and properties of Outledger. */
final class RabbitSetup implements ReceivingBroker {

  private static final String RABBITMQ = "rabbitmq";

  private final BrokerSources sources;

  RabbitSetup(BrokerSources sources) {
    this.sources = sources;
  }

  @Override
  public Publisher publisher(PublisherProperties properties, String path) {
    PublisherProperties.Rabbitmq own = Objects.requireNonNull(properties.rabbitmq());
    RabbitPublisher publisher =
        RabbitPublisher.to(broker(path, own.sslBundle())).source(properties.source());
    if (own.routingKey().equals(Naming.SAME)) {
      return publisher.exchange(own.exchange());
    }
    UnaryOperator<String> naming = Naming.of(path + ".routing-key", own.routingKey());
    return publisher.routing(
        message -> new RabbitRoute(own.exchange(), naming.apply(message.topic())));
  }

  @Override
  public BrokerReceiver<?> receiver(
      Supplier<String> consumer, ReceiverProperties properties, String path) {
    ReceiverProperties.Rabbitmq own = Objects.requireNonNull(properties.rabbitmq());
    String queue = Required.text(path, "queue", own.queue());
    RabbitReceiver receiver =
        RabbitReceiver.from(broker(path, own.sslBundle()), queue).prefetch(own.prefetch());
    String origin = properties.origin();
    return origin == null ? receiver : receiver.origin(origin);
  }

  private RabbitBroker broker(String path, @Nullable String ownBundle) {
    SpringProperties spring = sources.properties(RABBITMQ, "spring.rabbitmq");
    Optional<SslBundle> bundle = sources.bundle(RABBITMQ, path + ".ssl-bundle", ownBundle, spring);
    List<RabbitAddress> addresses =
        addresses(spring, bundle.isPresent() || spring.isTrue("ssl.enabled"));
    RabbitAddress first = addresses.get(0);
    ConnectionFactory factory = new ConnectionFactory();
    text(first.username(), spring.text("username")).ifPresent(factory::setUsername);
    text(first.password(), spring.text("password")).ifPresent(factory::setPassword);
    text(first.virtualHost(), spring.text("virtual-host")).ifPresent(factory::setVirtualHost);
    spring
        .value("connection-timeout", Duration.class)
        .ifPresent(each -> factory.setConnectionTimeout(Math.toIntExact(each.toMillis())));
    boolean isHostChecked =
        addTls(factory, bundle, spring.under("ssl"), ownBundle != null || first.isTls());
    String[] nodes = addresses.stream().map(RabbitAddress::node).toArray(String[]::new);
    // With TLS, the context says whom to trust, in every version of the client.
    if (isHostChecked) {
      factory.enableHostnameVerification();
    }
    return RabbitBroker.unverified(factory).nodes(nodes);
  }

  private static Optional<String> text(@Nullable String first, Optional<String> second) {
    return first == null ? second : Optional.of(first);
  }

  private static List<RabbitAddress> addresses(SpringProperties spring, boolean isTls) {
    List<RabbitAddress> all = new ArrayList<>();
    for (String each : spring.texts("addresses")) {
      all.add(RabbitAddress.of(spring.name("addresses"), each.trim(), isTls));
    }
    if (all.isEmpty()) {
      String host = spring.text("host").orElse("localhost");
      int port = spring.value("port", Integer.class).orElse(RabbitAddress.port(isTls));
      all.add(new RabbitAddress(host, port, null, null, null, isTls));
    }
    return all;
  }

  /** Has the factory use TLS where that is wanted; returns whether hosts' names are checked. */
  private static boolean addTls(
      ConnectionFactory factory, Optional<SslBundle> bundle, SpringProperties ssl, boolean isTls) {
    if (!isTls) {
      return false;
    }
    if (!ssl.value("validate-server-certificate", Boolean.class).orElse(true)) {
      throw BrokerSources.invalid(
          ssl.name("validate-server-certificate")
              + " is false, which trusts everybody; name an SSL bundle that trusts the broker, or"
              + " declare a Publisher bean of your own");
    }
    factory.useSslProtocol(
        bundle
            .or(() -> stores(ssl))
            .map(SslBundle::createSslContext)
            .orElseGet(RabbitSetup::ofTheJvm));
    return ssl.value("verify-hostname", Boolean.class).orElse(true);
  }

  private static Optional<SslBundle> stores(SpringProperties ssl) {
    JksSslStoreDetails keys = store(ssl, "key-store");
    JksSslStoreDetails trusted = store(ssl, "trust-store");
    return keys == null && trusted == null
        ? Optional.empty()
        : Optional.of(
            SslBundle.of(
                new JksSslStoreBundle(keys, trusted),
                SslBundleKey.of(ssl.text("key-store-password").orElse(null))));
  }

  private static @Nullable JksSslStoreDetails store(SpringProperties ssl, String name) {
    return ssl.text(name)
        .map(
            location ->
                new JksSslStoreDetails(
                    ssl.text(name + "-type").orElse(null),
                    null,
                    location,
                    ssl.text(name + "-password").orElse(null)))
        .orElse(null);
  }

  private static SSLContext ofTheJvm() {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JVM has no TLS", e);
    }
  }
}
