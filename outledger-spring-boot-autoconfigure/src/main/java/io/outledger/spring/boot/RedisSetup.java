// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.outledger.publish.Publisher;
import io.outledger.receive.BrokerReceiver;
import io.outledger.redis.RedisPublisher;
import io.outledger.redis.RedisReceiver;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/** Streams of Redis, by {@code spring.data.redis.*} and properties of Outledger. */
final class RedisSetup implements ReceivingBroker {

  private static final int PORT = 6379;
  private static final int SENTINEL_PORT = 26379;

  private final BrokerSources sources;

  RedisSetup(BrokerSources sources) {
    this.sources = sources;
  }

  @Override
  public Publisher publisher(PublisherProperties properties, String path) {
    PublisherProperties.Redis own = Objects.requireNonNull(properties.redis());
    SpringProperties spring = spring();
    Optional<SslBundle> bundle = bundle(path, own.sslBundle(), spring);
    RedisPublisher publisher =
        RedisPublisher.to(uri(spring, bundle.isPresent()))
            .source(properties.source())
            .streams(Naming.of(path + ".stream", own.stream()))
            .replicas(own.replicas());
    return bundle.map(each -> publisher.clientOptions(options(each))).orElse(publisher);
  }

  @Override
  public BrokerReceiver<?> receiver(
      Supplier<String> consumer, ReceiverProperties properties, String path) {
    ReceiverProperties.Redis own = Objects.requireNonNull(properties.redis());
    SpringProperties spring = spring();
    Optional<SslBundle> bundle = bundle(path, own.sslBundle(), spring);
    RedisReceiver receiver =
        RedisReceiver.of(
                uri(spring, bundle.isPresent()),
                Required.text(path, "stream", own.stream()),
                Objects.requireNonNullElseGet(own.group(), consumer))
            .takeOverAfter(own.takeOverAfter());
    if (bundle.isPresent()) {
      receiver = receiver.clientOptions(options(bundle.get()));
    }
    String origin = properties.origin();
    return origin == null ? receiver : receiver.origin(origin);
  }

  private SpringProperties spring() {
    return sources.properties("redis", "spring.data.redis");
  }

  private Optional<SslBundle> bundle(String path, @Nullable String own, SpringProperties spring) {
    return sources.bundle("redis", path + ".ssl-bundle", own, spring);
  }

  /** Returns where Redis is; it speaks TLS where there is a bundle, or Boot's property says so. */
  static RedisURI uri(SpringProperties spring, boolean hasBundle) {
    if (!spring.texts("cluster.nodes").isEmpty()) {
      throw BrokerSources.invalid(
          spring.name("cluster.nodes")
              + " is set, and Outledger publishes to one Redis, or to what sentinels know: declare"
              + " a bean of your own for another one");
    }
    RedisURI uri = spring.text("url").map(url -> parsed(spring, url)).orElseGet(() -> at(spring));
    if (spring.text("url").isEmpty()) {
      spring.text("password").ifPresent(password -> login(uri, spring, password));
      spring.value("database", Integer.class).ifPresent(uri::setDatabase);
    }
    if (hasBundle || spring.isTrue("ssl.enabled")) {
      uri.setSsl(true);
    }
    spring.value("timeout", Duration.class).ifPresent(uri::setTimeout);
    return uri;
  }

  private static RedisURI parsed(SpringProperties spring, String url) {
    try {
      return RedisURI.create(url);
    } catch (IllegalArgumentException e) {
      // Without its cause, whose text may quote the password.
      throw BrokerSources.invalid(
          spring.name("url") + " must be redis:// or rediss://, then user:password@host:port");
    }
  }

  private static RedisURI at(SpringProperties spring) {
    SpringProperties sentinel = spring.under("sentinel");
    List<String> nodes = sentinel.texts("nodes");
    if (nodes.isEmpty()) {
      return RedisURI.create(
          spring.text("host").orElse("localhost"),
          spring.value("port", Integer.class).orElse(PORT));
    }
    RedisURI.Builder uri =
        RedisURI.builder().withSentinelMasterId(sentinel.text("master").orElse("mymaster"));
    for (String node : nodes) {
      RedisURI each = node(sentinel.name("nodes"), node);
      sentinel.text("password").ifPresent(password -> login(each, sentinel, password));
      uri.withSentinel(each);
    }
    return uri.build();
  }

  private static RedisURI node(String property, String node) {
    int colon = node.lastIndexOf(':');
    String port = colon < 0 ? String.valueOf(SENTINEL_PORT) : node.substring(colon + 1);
    if (!port.matches("[0-9]{1,5}")) {
      throw BrokerSources.invalid(property + " has " + node + ", which is not host:port");
    }
    return RedisURI.create(colon < 0 ? node : node.substring(0, colon), Integer.parseInt(port));
  }

  private static void login(RedisURI uri, SpringProperties from, String password) {
    from.text("username")
        .ifPresentOrElse(
            user -> uri.setAuthentication(user, password), () -> uri.setAuthentication(password));
  }

  private static ClientOptions options(SslBundle bundle) {
    return ClientOptions.builder()
        .sslOptions(
            SslOptions.builder()
                .keyManager(bundle.getManagers().getKeyManagerFactory())
                .trustManager(bundle.getManagers().getTrustManagerFactory())
                .build())
        .build();
  }
}
