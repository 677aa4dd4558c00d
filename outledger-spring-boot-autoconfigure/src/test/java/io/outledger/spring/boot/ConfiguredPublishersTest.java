// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.kafka.KafkaPublisher;
import io.outledger.mail.Mail;
import io.outledger.mail.MailAddress;
import io.outledger.mail.MailMapper;
import io.outledger.publish.Publisher;
import jakarta.jms.ConnectionFactory;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfiguredPublishersTest {

  private static final String KAFKA = "spring.kafka.bootstrap-servers=k-1:9092";
  private static final Publisher OWN = KafkaPublisher.with(Map.of("bootstrap.servers", "own:9092"));

  @Test
  void everyBrokerIsMadeOfProperties() {
    BrokersOf application =
        BrokersOf.properties(
                KAFKA,
                "spring.rabbitmq.addresses=amqps://shop:s3cret@r-1:5671/orders,r-2",
                "spring.data.redis.url=rediss://shop:s3cret@redis-1:6380",
                "spring.pulsar.client.service-url=pulsar+ssl://p-1:6651",
                "spring.mail.host=mail-1",
                "outledger.publishers.a.kafka.enabled=true",
                "outledger.publishers.b.rabbitmq.exchange=shop",
                "outledger.publishers.c.nats.url=tls://n-1:4222,tls://n-2:4222",
                "outledger.publishers.d.jms.enabled=true",
                "outledger.publishers.e.amqp.url=amqps://q-1",
                "outledger.publishers.f.sqs.region=eu-central-1",
                "outledger.publishers.g.sns.region=eu-central-1",
                "outledger.publishers.g.sns.topic-arn=arn:aws:sns:eu-1:123456789012:{topic}",
                "outledger.publishers.h.redis.stream=shop.{topic}",
                "outledger.publishers.i.mqtt.url=mqtts://m-1",
                "outledger.publishers.i.mqtt.client-id=shop",
                "outledger.publishers.j.pulsar.enabled=true",
                "outledger.publishers.k.webhook.url=https://w-1.example.org/secret",
                "outledger.publishers.l.mail.from=shop@example.org")
            .bean("jms", factory())
            .bean("mails", (MailMapper) message -> Mail.to("ada@example.org"));

    try (BrokerSources sources = application.sources()) {
      Map<String, Publisher> all = new ConfiguredPublishers(application.outledger(), sources).all();

      assertThat(all.values().stream().map(Publisher::toString))
          .containsExactlyInAnyOrder(
              "KafkaPublisher[k-1:9092]",
              "RabbitPublisher[[r-1:5671, r-2:5672] orders]",
              "NatsPublisher[n-1:4222,n-2:4222]",
              "JmsPublisher[queues of JMS]",
              "AmqpPublisher[q-1:5671]",
              "SqsPublisher[/outledger]",
              "SnsPublisher[/outledger]",
              "RedisPublisher[redis-1:6380]",
              "MqttPublisher[m-1:8883]",
              "PulsarPublisher[pulsar+ssl://p-1:6651]",
              "WebhookPublisher[https://w-1.example.org {}]",
              "MailPublisher[mail server mail-1:25]");
    }
  }

  @Test
  void allProblemsAreToldAtOnceAndNoSecret() {
    assertThatThrownBy(
            () ->
                BrokersOf.properties(
                        "spring.rabbitmq.addresses=amqp://shop:s3cret@/orders",
                        "spring.data.redis.url=redis//shop:s3cret@redis-1",
                        "outledger.publishers.a.rabbitmq.enabled=true",
                        "outledger.publishers.b.nats.url=nats://shop:s3cret@n-1:4222",
                        "outledger.publishers.c.jms.enabled=true",
                        "outledger.publishers.d.amqp.username=ada",
                        "outledger.publishers.e.sns.region=eu-central-1",
                        "outledger.publishers.f.redis.enabled=true",
                        "outledger.publishers.g.mqtt.url=mqtt://shop:s3cret@m-1",
                        "outledger.publishers.h.pulsar.topic={key}",
                        "outledger.publishers.i.webhook.url=http://shop:s3cret@w-1/",
                        "outledger.publishers.j.webhook.url=https://w-1/",
                        "outledger.publishers.j.webhook.secrets=whsec_s3cret",
                        "outledger.publishers.k.mail.from=shop",
                        "outledger.publishers.l.kafka.ssl-bundle=none")
                    .publishers()
                    .all())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("OUT-021 these properties cannot be used")
        .hasMessageContainingAll(
            "spring.rabbitmq.addresses has an address",
            "outledger.publishers.b.nats.url must be",
            "outledger.publishers.c.jms: needs a bean of type ConnectionFactory, and there is none",
            "outledger.publishers.d.amqp.url is missing",
            "outledger.publishers.e.sns.topic-arn is missing",
            "spring.data.redis.url must be",
            "outledger.publishers.g.mqtt.url must be",
            "outledger.publishers.h.pulsar.topic has the placeholder {key}",
            "outledger.publishers.i.webhook.url must begin with https://",
            "outledger.publishers.j.webhook: the webhook secret",
            "spring.mail.host is missing",
            "outledger.publishers.l.kafka.ssl-bundle is none")
        .message()
        .doesNotContain("s3cret");
  }

  @Test
  void mailsNeedABeanOrARecipient() {
    String host = "spring.mail.host=mail-1";
    String from = "outledger.publishers.a.mail.from=shop@example.org";
    String to = "outledger.publishers.a.mail.to=ops@example.org,ada@example.org";
    MailMapper mapper = message -> Mail.to("ada@example.org");

    assertThat(all(BrokersOf.properties(host, from, to))).containsOnlyKeys("a");
    assertThat(all(BrokersOf.properties(host, from).bean("mails", mapper))).containsOnlyKeys("a");
    assertThatThrownBy(() -> BrokersOf.properties(host, from).publishers().all())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(
            "outledger.publishers.a.mail.to is missing", "@Bean MailMapper mails()");
    assertThatThrownBy(
            () ->
                BrokersOf.properties(host, from, to, "outledger.publishers.a.mail.mapper=mails")
                    .bean("mails", mapper)
                    .publishers()
                    .all())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("outledger.publishers.a.mail has both to and mapper");
    assertThatThrownBy(
            () ->
                BrokersOf.properties(host, from, to, "outledger.publishers.a.mail.subject={id}")
                    .publishers()
                    .all())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("outledger.publishers.a.mail.subject has the placeholder {id}");
    assertThatThrownBy(
            () ->
                BrokersOf.properties(host, from, "outledger.publishers.a.mail.to=ops")
                    .publishers()
                    .all())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("outledger.publishers.a.mail cannot be used");
  }

  @Test
  void aNoticeSaysWhatTheMessageSays() {
    MailMapper notices = NoticeMail.of("p", List.of("ops@example.org"), "{type} of {topic}: {key}");

    Mail mail =
        notices.map(
            Message.to("orders", "order.placed")
                .key("o-1\r\nBcc: eve@example.org")
                .payload("{\"cents\":1990}".getBytes(UTF_8))
                .build());

    assertThat(mail.to()).containsExactly(MailAddress.of("ops@example.org"));
    assertThat(mail.subject()).startsWith("order.placed of orders: o-1").doesNotContain("\n");
    assertThat(mail.text()).isEqualTo("{\"cents\":1990}");
    assertThat(
            NoticeMail.of("p", List.of("ops@example.org"), NoticeMail.SUBJECT)
                .map(Message.to("orders", "order.placed").build())
                .subject())
        .isEqualTo("order.placed");
  }

  @Test
  void aBeanStandsBesideThem() {
    BrokersOf application =
        BrokersOf.properties(
            "outledger.publishers.orders.mqtt.url=mqtt://m-1",
            "outledger.publishers.orders.mqtt.client-id=shop");

    assertThat(application.publishers().with(BrokersOf.properties().bean("own", OWN).beans()))
        .containsOnlyKeys("own", "orders");
  }

  @Test
  void theSameNameTwiceIsRefused() {
    BrokersOf application =
        BrokersOf.properties(
            "outledger.publishers.orders.mqtt.url=mqtt://m-1",
            "outledger.publishers.orders.mqtt.client-id=shop");

    assertThatThrownBy(
            () -> application.publishers().with(BrokersOf.properties().bean("orders", OWN).beans()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("the Publisher bean orders")
        .hasMessageContaining("outledger.publishers.orders.*");
  }

  @Test
  void kafkaIsImplicitWhereNothingElseIsThere() {
    assertThat(all(BrokersOf.properties(KAFKA))).containsOnlyKeys("kafka");
    assertThat(all(BrokersOf.properties())).isEmpty();
    assertThat(all(BrokersOf.properties(KAFKA).bean("own", OWN))).containsOnlyKeys("own");
    assertThat(
            all(
                BrokersOf.properties(KAFKA, "outledger.publishers.kafka.kafka.enabled=true")
                    .bean("own", OWN)))
        .containsOnlyKeys("own", "kafka");
    assertThat(all(BrokersOf.properties(KAFKA, "outledger.publishers.kafka.kafka.enabled=false")))
        .isEmpty();
  }

  @Test
  void aPublisherHasExactlyOneBroker() {
    assertThatThrownBy(
            () ->
                PropertyProblems.check(
                    BrokersOf.properties(
                            "outledger.publishers.a.source=/shop",
                            "outledger.publishers.b.kafka.topic=x",
                            "outledger.publishers.b.rabbitmq.exchange=y",
                            "outledger.receivers.c.attempts-max=0")
                        .outledger()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(
            "outledger.publishers.a names no broker",
            "outledger.publishers.b has the brokers [kafka, rabbitmq]",
            "outledger.receivers.c names no broker",
            "outledger.receivers.c.attempts-max is 0");
    PropertyProblems.check(
        BrokersOf.properties(
                "outledger.publishers.b.kafka.topic=x",
                "outledger.publishers.b.rabbitmq.enabled=false")
            .outledger());
  }

  private static Map<String, Publisher> all(BrokersOf application) {
    return application.publishers().with(application.beans());
  }

  private static ConnectionFactory factory() {
    return (ConnectionFactory)
        Proxy.newProxyInstance(
            ConnectionFactory.class.getClassLoader(),
            new Class<?>[] {ConnectionFactory.class},
            (proxy, method, arguments) ->
                method.getName().equals("hashCode") ? 1 : method.getName().equals("equals"));
  }
}
