// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.kafka.KafkaPublisher;
import io.outledger.kafka.KafkaReceiver;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.security.auth.SslEngineFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.ssl.SslBundle;

class KafkaSettingsTest {

  private static final String SERVERS = "spring.kafka.bootstrap-servers=k-1:9092,k-2:9092";

  @Test
  void aProducerHasWhatBootsOwnWouldHave() {
    assertThat(
            producer(
                SERVERS,
                "spring.kafka.client-id=shop",
                "spring.kafka.security.protocol=SSL",
                "spring.kafka.ssl.trust-store-location=file:/etc/trust.p12",
                "spring.kafka.ssl.trust-store-password=s3cret",
                "spring.kafka.ssl.trust-store-type=PKCS12",
                "spring.kafka.ssl.key-store-key=a key",
                "spring.kafka.ssl.key-store-certificate-chain=a chain",
                "spring.kafka.producer.compression-type=zstd",
                "spring.kafka.producer.batch-size=64KB",
                "spring.kafka.producer.buffer-memory=64MB",
                "spring.kafka.producer.client-id=shop-producer",
                "spring.kafka.properties.metadata.max.age.ms=1000",
                "spring.kafka.producer.properties.linger.ms=20"))
        .containsOnly(
            Map.entry("bootstrap.servers", "k-1:9092,k-2:9092"),
            Map.entry("client.id", "shop-producer"),
            Map.entry("security.protocol", "SSL"),
            Map.entry("ssl.truststore.location", "/etc/trust.p12"),
            Map.entry("ssl.truststore.password", "s3cret"),
            Map.entry("ssl.truststore.type", "PKCS12"),
            Map.entry("ssl.keystore.key", "a key"),
            Map.entry("ssl.keystore.certificate.chain", "a chain"),
            Map.entry("compression.type", "zstd"),
            Map.entry("batch.size", "65536"),
            Map.entry("buffer.memory", "67108864"),
            Map.entry("metadata.max.age.ms", "1000"),
            Map.entry("linger.ms", "20"));
  }

  @Test
  void whatOutledgerDecidesIsLeftOutOfSpringsSettings() {
    String[] theirs = {
      SERVERS,
      "spring.kafka.producer.acks=1",
      "spring.kafka.producer.retries=0",
      "spring.kafka.producer.transaction-id-prefix=tx-",
      "spring.kafka.producer.value-serializer=com.example.Json",
      "spring.kafka.producer.properties.delivery.timeout.ms=30000",
      "spring.kafka.producer.properties.max.block.ms=5000",
      "spring.kafka.properties.enable.idempotence=false",
      "spring.kafka.properties.value.serializer=com.example.Json"
    };

    assertThat(producer(theirs)).containsOnlyKeys("bootstrap.servers");
    assertThat(BrokersOf.properties(theirs).publishers().with(BrokersOf.properties().beans()))
        .containsOnlyKeys("kafka");
  }

  @Test
  void whatOutledgerDecidesIsRefusedInItsOwnProperties() {
    assertThatThrownBy(
            () ->
                BrokersOf.properties(
                        SERVERS,
                        "outledger.publishers.orders.kafka.properties.delivery.timeout.ms=30000",
                        "outledger.publishers.orders.kafka.properties.acks=1")
                    .publishers()
                    .all())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("outledger.publishers.orders.kafka")
        .hasMessageContaining("delivery.timeout.ms must not be set")
        .hasMessageContaining("acks must be all");
  }

  @Test
  void aConsumerHasWhatBootsOwnWouldHave() {
    Map<String, Object> consumer =
        new KafkaSettings(
                BrokersOf.properties(
                        SERVERS,
                        "spring.kafka.consumer.bootstrap-servers=k-3:9092",
                        "spring.kafka.consumer.auto-offset-reset=latest",
                        "spring.kafka.consumer.fetch-max-wait=2s",
                        "spring.kafka.consumer.fetch-min-size=1KB",
                        "spring.kafka.consumer.max-poll-records=50",
                        "spring.kafka.consumer.enable-auto-commit=true",
                        "spring.kafka.consumer.isolation-level=read_uncommitted",
                        "spring.kafka.consumer.value-deserializer=com.example.Json",
                        "spring.kafka.consumer.properties.session.timeout.ms=45000")
                    .sources())
            .consumer(KafkaReceiver.decidedSettings());

    assertThat(consumer)
        .containsOnly(
            Map.entry("bootstrap.servers", "k-3:9092"),
            Map.entry("auto.offset.reset", "latest"),
            Map.entry("fetch.max.wait.ms", "2000"),
            Map.entry("fetch.min.bytes", "1024"),
            Map.entry("max.poll.records", "50"),
            Map.entry("session.timeout.ms", "45000"));
  }

  @Test
  void aContainersServersGoBeforeThoseOfProperties() {
    BrokersOf application =
        BrokersOf.properties(SERVERS, "spring.kafka.producer.bootstrap-servers=k-2:9092")
            .bean(
                "container",
                new BrokerConnection(
                    "kafka", Map.of("spring.kafka.producer.bootstrap-servers", "c:1"), null));

    assertThat(new KafkaSettings(application.sources()).producer(KafkaPublisher.decidedSettings()))
        .containsEntry("bootstrap.servers", "c:1");
  }

  @ParameterizedTest
  @CsvSource({
    "spring.kafka.ssl.bundle, spring.kafka.client-id, SSL",
    "spring.kafka.ssl.bundle, spring.kafka.properties.sasl.mechanism, SASL_SSL",
    "spring.kafka.%s.ssl.bundle, spring.kafka.client-id, SSL"
  })
  void aBundleOfBootsWithoutAProtocolIsRefusedAsBootsOwnClientsWouldUseNoTls(
      String bundle, String further, String protocol) {
    String text =
        ": there is an SSL bundle, and no security.protocol: Kafka's clients, and so Boot's own,"
            + " would connect without TLS. Set spring.kafka.security.protocol="
            + protocol;

    assertThatThrownBy(() -> withBundle("producer", bundle, further + "=x").publishers().all())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("outledger.publishers.orders.kafka" + text);
    assertThatThrownBy(() -> withBundle("consumer", bundle, further + "=x").receivers().all())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("outledger.receivers.billing.kafka" + text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spring.kafka.security.protocol=SSL",
        "spring.kafka.properties.security.protocol=SSL",
        "outledger.publishers.orders.kafka.properties.security.protocol=SSL",
        "outledger.publishers.orders.kafka.ssl-bundle=other"
      })
  void aBundleWithAProtocolOrOfOutledgersPropertiesIsTaken(String property) {
    assertThat(withBundle("producer", "spring.kafka.ssl.bundle", property).publishers().all())
        .containsOnlyKeys("orders");
  }

  private static BrokersOf withBundle(String client, String bundle, String property) {
    return BrokersOf.properties(
            SERVERS,
            bundle.formatted(client) + "=used",
            property,
            client.equals("producer")
                ? "outledger.publishers.orders.kafka.enabled=true"
                : "outledger.receivers.billing.kafka.topics=orders")
        .bundles(SslBundle.systemDefault(), SslBundle.systemDefault());
  }

  @Test
  void aBundleMakesTheClientsEngines() throws Exception {
    Map<String, Object> settings = BundledSsl.settings(SslBundle.systemDefault());

    Class<?> type = (Class<?>) Objects.requireNonNull(settings.get("ssl.engine.factory.class"));
    try (SslEngineFactory factory =
        (SslEngineFactory) type.getDeclaredConstructor().newInstance()) {
      factory.configure(settings);
      var engine = factory.createClientSslEngine("k-1", 9093, "https");
      assertThat(engine.getUseClientMode()).isTrue();
      assertThat(engine.getPeerHost()).isEqualTo("k-1");
      assertThat(engine.getSSLParameters().getEndpointIdentificationAlgorithm()).isEqualTo("https");
      assertThat(factory.shouldBeRebuilt(settings)).isFalse();
    }
  }

  private static Map<String, Object> producer(String... properties) {
    return new KafkaSettings(BrokersOf.properties(properties).sources())
        .producer(KafkaPublisher.decidedSettings());
  }
}
