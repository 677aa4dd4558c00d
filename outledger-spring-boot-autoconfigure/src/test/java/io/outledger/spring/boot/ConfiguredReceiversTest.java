// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.receive.BrokerReceiver;
import io.outledger.receive.ReceiverOptions;
import io.outledger.relay.options.RetryPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ConfiguredReceiversTest {

  @Test
  void everyBrokerIsMadeOfProperties() {
    BrokersOf application =
        BrokersOf.properties(
            "spring.kafka.bootstrap-servers=k-1:9092",
            "spring.kafka.consumer.group-id=shared",
            "outledger.receivers.a.kafka.topics=orders,bills",
            "outledger.receivers.b.rabbitmq.queue=orders",
            "outledger.receivers.c.nats.url=nats://n-1:4222",
            "outledger.receivers.c.nats.stream=SHOP",
            "outledger.receivers.d.amqp.url=amqp://q-1:5673",
            "outledger.receivers.d.amqp.address=orders",
            "outledger.receivers.e.sqs.region=eu-central-1",
            "outledger.receivers.e.sqs.queue=orders.fifo",
            "outledger.receivers.f.redis.stream=orders",
            "outledger.receivers.g.mqtt.url=mqtt://m-1",
            "outledger.receivers.g.mqtt.client-id=shop",
            "outledger.receivers.g.mqtt.topic-filter=orders/#",
            "outledger.receivers.h.pulsar.topic=orders");

    try (BrokerSources sources = application.sources()) {
      Map<String, BrokerReceiver<?>> all =
          new ConfiguredReceivers(application.outledger(), sources).all();

      assertThat(all).containsOnlyKeys("a", "b", "c", "d", "e", "f", "g", "h");
      assertThat(all.get("a")).hasToString("KafkaReceiver[a at k-1:9092 [orders, bills]]");
      assertThat(all.get("b")).hasToString("queue orders at RabbitMQ [localhost:5672] /");
      assertThat(all.get("g")).hasToString("MqttReceiver[orders/# at m-1:1883]");
    }
  }

  @Test
  void whatIsReceivedFromIsRequired() {
    assertThatThrownBy(
            () ->
                BrokersOf.properties(
                        "spring.kafka.bootstrap-servers=k-1:9092",
                        "outledger.receivers.a.kafka.enabled=true",
                        "outledger.receivers.b.rabbitmq.enabled=true",
                        "outledger.receivers.c.redis.enabled=true",
                        "outledger.receivers.d.pulsar.enabled=true")
                    .receivers()
                    .all())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(
            "outledger.receivers.a.kafka.topics is missing",
            "outledger.receivers.b.rabbitmq.queue is missing",
            "outledger.receivers.c.redis.stream is missing",
            "outledger.receivers.d.pulsar.topic is missing");
  }

  @Test
  void twoConsumersOnOneQueueAreRefused() {
    assertThatThrownBy(
            () ->
                PropertyProblems.check(
                    BrokersOf.properties(
                            "outledger.receivers.a.rabbitmq.queue=orders",
                            "outledger.receivers.b.rabbitmq.queue=orders",
                            "outledger.receivers.c.kafka.topics=x,bills",
                            "outledger.receivers.c.kafka.group-id=shop",
                            "outledger.receivers.d.kafka.topics=bills",
                            "outledger.receivers.d.kafka.group-id=shop",
                            "outledger.receivers.e.mqtt.url=mqtt://m-1",
                            "outledger.receivers.e.mqtt.client-id=one",
                            "outledger.receivers.f.mqtt.url=mqtt://m-1",
                            "outledger.receivers.f.mqtt.client-id=one")
                        .outledger()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(
            "outledger.receivers.a.rabbitmq and outledger.receivers.b.rabbitmq receive from the"
                + " same queue orders",
            "outledger.receivers.c.kafka and outledger.receivers.d.kafka receive from the same"
                + " consumer group shop of the topic bills",
            "outledger.receivers.e.mqtt and outledger.receivers.f.mqtt receive from the same client"
                + " id one");
  }

  @Test
  void whatIsNotOneQueueIsNotRefused() {
    PropertyProblems.check(
        BrokersOf.properties(
                "outledger.receivers.a.kafka.topics=orders",
                "outledger.receivers.b.kafka.topics=orders",
                "outledger.receivers.c.rabbitmq.queue=orders",
                "outledger.receivers.d.sqs.queue=orders",
                "outledger.receivers.e.amqp.url=amqp://a-1",
                "outledger.receivers.e.amqp.address=orders",
                "outledger.receivers.f.amqp.url=amqp://a-2",
                "outledger.receivers.f.amqp.address=orders",
                "outledger.receivers.g.rabbitmq.enabled=false",
                "outledger.receivers.g.rabbitmq.queue=orders")
            .outledger());
  }

  @Test
  void failuresAreTreatedAsPropertiesSay() {
    ReceiverOptions options =
        ConfiguredReceivers.options(
            Objects.requireNonNull(
                BrokersOf.properties(
                        "outledger.receivers.a.attempts-max=3",
                        "outledger.receivers.a.backoff-first=2s",
                        "outledger.receivers.a.backoff-max=4s",
                        "outledger.receivers.a.dead-letter=key_stays_blocked",
                        "outledger.receivers.a.parked-max=7")
                    .outledger()
                    .receivers()
                    .get("a")));

    assertThat(options.retry().attemptsMax()).isEqualTo(3);
    assertThat(options.retry().backoff().max()).isEqualTo(Duration.ofSeconds(4));
    assertThat(options.retry().deadLetter()).isEqualTo(RetryPolicy.DeadLetter.KEY_STAYS_BLOCKED);
    assertThat(options.parkedMax()).isEqualTo(7);
    assertThat(
            ConfiguredReceivers.options(
                Objects.requireNonNull(
                    BrokersOf.properties("outledger.receivers.a.kafka.topics=x")
                        .outledger()
                        .receivers()
                        .get("a"))))
        .isEqualTo(ReceiverOptions.DEFAULT);
  }
}
