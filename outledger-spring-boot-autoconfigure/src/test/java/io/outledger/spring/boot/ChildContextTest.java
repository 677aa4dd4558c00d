// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.kafka.KafkaReceiver;
import io.outledger.publish.Publisher;
import io.outledger.testing.RecordingPublisher;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

/** Relays of a parent context never see what its children handle. */
class ChildContextTest {

  /** Handles orders. */
  public static class Handling {

    /** Handles one. */
    @OutboxHandler("mail")
    public void on(String order) {}

    /** Receives one. */
    @InboxListener("billing")
    public void receive(String order) {}
  }

  private final BrokersOf parent = BrokersOf.properties("outledger.publishers.a.kafka.topic=a");
  private final DefaultListableBeanFactory child = new DefaultListableBeanFactory(parent.beans());

  ChildContextTest() {
    parent.bean("properties", parent.outledger());
    parent.beans().registerBeanDefinition("relays", new RootBeanDefinition(RelayDefinitions.class));
  }

  private void look(String... more) {
    new ChildContext(child, BrokersOf.properties(more).outledger()).afterSingletonsInstantiated();
  }

  @Test
  void whatWouldSilentlyDoNothingIsRefused() {
    child.registerBeanDefinition("handling", new RootBeanDefinition(Handling.class));
    child.registerSingleton("recording", (Publisher) new RecordingPublisher());
    child.registerBeanDefinition("billed", new RootBeanDefinition(KafkaReceiver.class));

    assertThatThrownBy(
            () ->
                look(
                    "outledger.publishers.a.kafka.topic=a",
                    "outledger.publishers.b.kafka.topic=b",
                    "outledger.receivers.c.kafka.topics=c"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(
            "OUT-021",
            "@OutboxHandler of " + Handling.class.getName() + ".on",
            "@InboxListener of " + Handling.class.getName() + ".receive",
            "the Publisher bean recording",
            "the BrokerReceiver bean billed",
            "outledger.publishers.b belongs",
            "outledger.receivers.c belongs")
        .message()
        .doesNotContain("outledger.publishers.a ");
  }

  @Test
  void aChildWithoutAnyOfThatStarts() {
    look("outledger.publishers.a.kafka.topic=a");
  }

  @Test
  void aContextWithRelaysOfItsOwnStarts() {
    child.registerBeanDefinition("handling", new RootBeanDefinition(Handling.class));
    child.registerBeanDefinition("own", new RootBeanDefinition(RelayDefinitions.class));
    look();
  }
}
