// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.kafka.KafkaPublisher;
import io.outledger.kafka.KafkaReceiver;
import io.outledger.publish.Publisher;
import io.outledger.receive.BrokerReceiver;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/** Apache Kafka, by {@code spring.kafka.*} and properties of Outledger. */
final class KafkaSetup implements ReceivingBroker {

  private static final String KAFKA = "kafka";
  private static final String PROTOCOL = "security.protocol";
  private static final String RESET = "auto.offset.reset";

  /** The publisher of an application that says where Kafka is, and nothing of publishers. */
  static final PublisherProperties IMPLICIT =
      new PublisherProperties(
          "/outledger",
          new PublisherProperties.Kafka(true, Naming.SAME, null, Map.of()),
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null);

  private final BrokerSources sources;
  private final KafkaSettings settings;

  KafkaSetup(BrokerSources sources) {
    this.sources = sources;
    this.settings = new KafkaSettings(sources);
  }

  /** Says whether a publisher publishes to Kafka. */
  static boolean isKafka(Publisher publisher) {
    return publisher instanceof KafkaPublisher;
  }

  @Override
  public Publisher publisher(PublisherProperties properties, String path) {
    PublisherProperties.Kafka own = Objects.requireNonNull(properties.kafka());
    Map<String, Object> all = settings.producer(KafkaPublisher.decidedSettings());
    addOwn("producer", path, own.sslBundle(), own.properties(), all);
    sources
        .bean(OutledgerProperties.class)
        .ifPresent(each -> KafkaRequestSize.look(all, each.payloadMax(), path));
    UnaryOperator<String> naming = Naming.of(path + ".topic", own.topic());
    KafkaPublisher publisher = KafkaPublisher.with(all).source(properties.source());
    return own.topic().equals(Naming.SAME) ? publisher : publisher.topics(naming);
  }

  @Override
  public BrokerReceiver<?> receiver(
      Supplier<String> consumer, ReceiverProperties properties, String path) {
    ReceiverProperties.Kafka own = Objects.requireNonNull(properties.kafka());
    Map<String, Object> all = settings.consumer(KafkaReceiver.decidedSettings());
    String reset = String.valueOf(all.get(RESET));
    if (!reset.equals("latest") && !reset.equals("earliest")) {
      all.remove(RESET); // another one would have a receiver skip records, or stop
    }
    addOwn("consumer", path, own.sslBundle(), own.properties(), all);
    all.put("group.id", Objects.requireNonNullElseGet(own.groupId(), consumer));
    if (own.topics().isEmpty()) {
      throw Required.missing(path, "topics");
    }
    KafkaReceiver receiver = KafkaReceiver.with(all).topics(own.topics().toArray(String[]::new));
    String origin = properties.origin();
    return origin == null ? receiver : receiver.origin(origin);
  }

  /**
   * Adds an SSL bundle, the client's own before that of all clients, and Outledger's properties.
   */
  private void addOwn(
      String client,
      String path,
      @Nullable String own,
      Map<String, String> properties,
      Map<String, Object> all) {
    SpringProperties common = settings.properties();
    Optional<SslBundle> bundle =
        sources
            .bundle(KAFKA, path + ".ssl-bundle", own, common.under(client))
            .or(() -> sources.bundle(KAFKA, path + ".ssl-bundle", null, common));
    bundle.ifPresent(each -> all.putAll(BundledSsl.settings(each)));
    all.putAll(properties);
    if (own != null) {
      all.putIfAbsent(PROTOCOL, hasSasl(all) ? "SASL_SSL" : "SSL");
    } else if (bundle.isPresent() && !all.containsKey(PROTOCOL)) {
      throw BrokerSources.invalid(
          "there is an SSL bundle, and no security.protocol: Kafka's clients, and so Boot's own,"
              + " would connect without TLS. Set spring.kafka.security.protocol="
              + (hasSasl(all) ? "SASL_SSL" : "SSL"));
    }
  }

  private static boolean hasSasl(Map<String, Object> settings) {
    return settings.keySet().stream().anyMatch(each -> each.startsWith("sasl."));
  }
}
