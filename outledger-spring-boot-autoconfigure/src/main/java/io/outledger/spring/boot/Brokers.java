// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Problems;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.util.ClassUtils;

/** The brokers that properties may name. Those whose module is not there are never loaded. */
final class Brokers {

  /** A broker's module, a class that shows that it is there, and what makes things of it. */
  private record Module(String artifact, String type, Function<BrokerSources, Broker> maker) {}

  // Lambdas, and no method references: those would load a broker's class with this one.
  private static final Map<String, Module> ALL =
      Map.ofEntries(
          Map.entry(
              "kafka",
              new Module(
                  "outledger-kafka",
                  "io.outledger.kafka.KafkaPublisher",
                  sources -> new KafkaSetup(sources))),
          Map.entry(
              "rabbitmq",
              new Module(
                  "outledger-rabbitmq",
                  "io.outledger.rabbitmq.RabbitPublisher",
                  sources -> new RabbitSetup(sources))),
          Map.entry(
              "nats",
              new Module(
                  "outledger-nats",
                  "io.outledger.nats.NatsPublisher",
                  sources -> new NatsSetup(sources))),
          Map.entry(
              "jms",
              new Module(
                  "outledger-jms",
                  "io.outledger.jms.JmsPublisher",
                  sources -> new JmsSetup(sources))),
          Map.entry(
              "amqp",
              new Module(
                  "outledger-amqp",
                  "io.outledger.amqp.AmqpPublisher",
                  sources -> new AmqpSetup(sources))),
          Map.entry(
              "sqs",
              new Module(
                  "outledger-sqs",
                  "io.outledger.sqs.SqsPublisher",
                  sources -> new SqsSetup(sources))),
          Map.entry(
              "sns",
              new Module(
                  "outledger-sqs and software.amazon.awssdk:sns",
                  "software.amazon.awssdk.services.sns.SnsAsyncClient",
                  sources -> new SnsSetup(sources))),
          Map.entry(
              "redis",
              new Module(
                  "outledger-redis",
                  "io.outledger.redis.RedisPublisher",
                  sources -> new RedisSetup(sources))),
          Map.entry(
              "mqtt",
              new Module(
                  "outledger-mqtt",
                  "io.outledger.mqtt.MqttPublisher",
                  sources -> new MqttSetup(sources))),
          Map.entry(
              "pulsar",
              new Module(
                  "outledger-pulsar",
                  "io.outledger.pulsar.PulsarPublisher",
                  sources -> new PulsarSetup(sources))),
          Map.entry(
              "webhook",
              new Module(
                  "outledger-webhook",
                  "io.outledger.webhook.WebhookPublisher",
                  sources -> new WebhookSetup())),
          Map.entry(
              "mail",
              new Module(
                  "outledger-mail",
                  "io.outledger.mail.MailPublisher",
                  sources -> new MailSetup(sources))));

  private final BrokerSources sources;
  private final Map<String, Broker> made = new HashMap<>();

  Brokers(BrokerSources sources) {
    this.sources = sources;
  }

  /** Says whether a broker's module is on the class path. */
  static boolean isPresent(String broker) {
    Module module = ALL.get(broker);
    return module != null && ClassUtils.isPresent(module.type(), Brokers.class.getClassLoader());
  }

  /** Returns a broker whose module is on the class path. */
  Broker get(String name) {
    return made.computeIfAbsent(
        name, each -> Objects.requireNonNull(ALL.get(each)).maker().apply(sources));
  }

  /**
   * Checks that a publisher or receiver has exactly one broker, whose module is there.
   *
   * @param path its properties
   * @param enabled the brokers that are enabled
   * @param isEmpty whether it has no broker's properties, enabled or not
   */
  static void check(
      String path,
      Map<String, ? extends BrokerChoice> enabled,
      boolean isEmpty,
      Problems problems) {
    if (isEmpty) {
      problems.add(
          path
              + " names no broker: set a property below one of "
              + ALL.keySet().stream().sorted().map(each -> path + "." + each).toList()
              + ", such as enabled=true");
    }
    if (enabled.size() > 1) {
      problems.add(
          path
              + " has the brokers "
              + enabled.keySet()
              + "; leave one, and give others a name each");
    }
    for (String broker : enabled.keySet()) {
      if (!isPresent(broker)) {
        Module module = Objects.requireNonNull(ALL.get(broker));
        problems.add(
            path + "." + broker + " is set, but " + module.artifact() + " is not there: add it");
      }
    }
  }

  /** Makes something of a broker's properties, which are named by the path. */
  @FunctionalInterface
  interface Maker<P, T> {
    T make(String name, P properties, String broker, String path);
  }

  /**
   * Makes something of each entry below a prefix.
   *
   * @param enabled the brokers that are enabled of an entry
   * @throws ConfigurationException {@code OUT-021} listing every problem
   */
  static <P, T> Map<String, T> makeAll(
      String prefix,
      Map<String, P> entries,
      Function<P, ? extends Map<String, ? extends BrokerChoice>> enabled,
      Maker<P, T> maker) {
    Map<String, T> all = new LinkedHashMap<>();
    Problems problems = Problems.of("these properties cannot be used");
    entries.forEach(
        (name, each) -> {
          for (String broker : enabled.apply(each).keySet()) {
            String path = prefix + name + "." + broker;
            problems
                .attempt(() -> make(path, () -> maker.make(name, each, broker, path)))
                .ifPresent(made -> all.put(name, made));
          }
        });
    problems.refuse();
    return all;
  }

  /**
   * Makes something of a broker's properties.
   *
   * @param path the broker's properties, which a problem of the broker's own is told with
   */
  static <T> T make(String path, Supplier<T> maker) {
    try {
      return maker.get();
    } catch (ConfigurationException e) {
      String code = e.code().code() + " ";
      String text = String.valueOf(e.getMessage());
      String plain = text.startsWith(code) ? text.substring(code.length()) : text;
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, plain.startsWith(path) ? plain : path + ": " + plain, e);
    }
  }
}
