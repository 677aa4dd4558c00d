// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.jms.JmsBroker;
import io.outledger.jms.JmsPublisher;
import io.outledger.jms.JmsReceiver;
import io.outledger.publish.Publisher;
import io.outledger.receive.BrokerReceiver;
import jakarta.jms.ConnectionFactory;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jms.connection.SingleConnectionFactory;
import org.springframework.util.ClassUtils;

/** Jakarta Messaging, through the application's connection factory. */
final class JmsSetup implements ReceivingBroker {

  private static final boolean HAS_SPRING_JMS =
      ClassUtils.isPresent(
          "org.springframework.jms.connection.SingleConnectionFactory",
          JmsSetup.class.getClassLoader());

  private final BrokerSources sources;

  JmsSetup(BrokerSources sources) {
    this.sources = sources;
  }

  @Override
  public Publisher publisher(PublisherProperties properties, String path) {
    PublisherProperties.Jms own = Objects.requireNonNull(properties.jms());
    JmsBroker broker = broker(path, own.connectionFactory());
    JmsPublisher publisher =
        own.toTopics() ? JmsPublisher.toTopics(broker) : JmsPublisher.toQueues(broker);
    return publisher.source(properties.source());
  }

  @Override
  public BrokerReceiver<?> receiver(
      Supplier<String> consumer, ReceiverProperties properties, String path) {
    ReceiverProperties.Jms own = Objects.requireNonNull(properties.jms());
    JmsBroker broker = broker(path, own.connectionFactory());
    if (own.queue() != null && own.topic() != null) {
      throw BrokerSources.invalid(path + " has both queue and topic: leave one");
    }
    JmsReceiver receiver =
        own.topic() == null
            ? JmsReceiver.fromQueue(broker, Required.text(path, "queue", own.queue()))
            : JmsReceiver.fromTopic(
                broker, own.topic(), Objects.requireNonNullElseGet(own.subscription(), consumer));
    String origin = properties.origin();
    return origin == null ? receiver : receiver.origin(origin);
  }

  private JmsBroker broker(String path, @Nullable String bean) {
    ConnectionFactory factory =
        sources.bean(ConnectionFactory.class, path + ".connection-factory", bean);
    return JmsBroker.of("JMS", HAS_SPRING_JMS ? Unshared.of(factory) : factory);
  }

  /** Loaded where spring-jms is there. */
  private static final class Unshared {

    /** Each session has a connection of its own, which Spring's factories would share. */
    static ConnectionFactory of(ConnectionFactory factory) {
      ConnectionFactory target =
          factory instanceof SingleConnectionFactory shared
              ? shared.getTargetConnectionFactory()
              : null;
      return target == null ? factory : target;
    }
  }
}
