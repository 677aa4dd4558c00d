// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.mail.Mail;
import io.outledger.mail.MailMapper;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.SslStoreBundle;

/** Each broker's client is made with the SSL bundle that properties name. */
class BrokerTlsTest {

  /** That of the JVM, which counts who wants its keys and certificates. */
  private static final class Counting implements SslBundle {

    private final SslBundle jvm = SslBundle.systemDefault();
    private final AtomicInteger asked = new AtomicInteger();

    @Override
    public SslStoreBundle getStores() {
      return jvm.getStores();
    }

    @Override
    public SslBundleKey getKey() {
      return jvm.getKey();
    }

    @Override
    public SslOptions getOptions() {
      return jvm.getOptions();
    }

    @Override
    public String getProtocol() {
      return jvm.getProtocol();
    }

    @Override
    public SslManagerBundle getManagers() {
      asked.incrementAndGet();
      return jvm.getManagers();
    }
  }

  private final Counting used = new Counting();
  private final Counting other = new Counting();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spring.rabbitmq.ssl.bundle=used p.rabbitmq.enabled=true",
        "spring.rabbitmq.ssl.bundle=other p.rabbitmq.ssl-bundle=used",
        "spring.data.redis.ssl.bundle=used p.redis.enabled=true",
        "spring.data.redis.ssl.bundle=other p.redis.ssl-bundle=used",
        "spring.mail.host=m-1 spring.mail.ssl.bundle=used p.mail.from=shop@example.org",
        "p.nats.url=tls://n-1 p.nats.ssl-bundle=used",
        "p.amqp.url=amqps://a-1 p.amqp.ssl-bundle=used",
        "p.mqtt.url=mqtts://m-1 p.mqtt.client-id=c p.mqtt.ssl-bundle=used"
      })
  void ofAPublisher(String properties) {
    BrokersOf application = application(properties, "outledger.publishers.orders.");
    try (BrokerSources sources = application.sources()) {
      assertThat(new ConfiguredPublishers(application.outledger(), sources).all()).hasSize(1);
    }
    assertThat(used.asked).hasPositiveValue();
    assertThat(other.asked).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spring.rabbitmq.ssl.bundle=used p.rabbitmq.queue=q",
        "spring.rabbitmq.ssl.bundle=other p.rabbitmq.queue=q p.rabbitmq.ssl-bundle=used",
        "spring.data.redis.ssl.bundle=used p.redis.stream=s",
        "spring.data.redis.ssl.bundle=other p.redis.stream=s p.redis.ssl-bundle=used",
        "p.nats.url=tls://n-1 p.nats.stream=S p.nats.ssl-bundle=used",
        "p.amqp.url=amqps://a-1 p.amqp.address=a p.amqp.ssl-bundle=used",
        "p.mqtt.url=mqtts://m-1 p.mqtt.client-id=c p.mqtt.topic-filter=t p.mqtt.ssl-bundle=used"
      })
  void ofAReceiver(String properties) {
    BrokersOf application = application(properties, "outledger.receivers.billing.");
    try (BrokerSources sources = application.sources()) {
      assertThat(new ConfiguredReceivers(application.outledger(), sources).all()).hasSize(1);
    }
    assertThat(used.asked).hasPositiveValue();
    assertThat(other.asked).hasValue(0);
  }

  private BrokersOf application(String properties, String prefix) {
    String[] all = properties.split(" ");
    for (int i = 0; i < all.length; i++) {
      all[i] = all[i].replaceFirst("^p[.]", prefix);
    }
    return BrokersOf.properties(all)
        .bundles(used, other)
        .bean("mails", (MailMapper) message -> Mail.to("ada@example.org"));
  }
}
