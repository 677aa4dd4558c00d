// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names and addresses that are refused when they are given. */
final class PulsarNamesTest {

  private static final PulsarCluster CLUSTER = PulsarCluster.at("pulsar://pulsar-1:6650");

  @Test
  void addressesThatAreNoneOfPulsarAreRefusedAndNotRepeated() {
    for (String url :
        List.of("", "pulsar-1:6650", "amqp://a", "pulsar://", "pulsar://me:pw@a", "pulsar://a b")) {
      assertThatThrownBy(() -> PulsarCluster.at(url))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("must begin with pulsar://")
          .hasMessageNotContaining("pw");
    }
    assertThat(CLUSTER).hasToString("pulsar://pulsar-1:6650");
  }

  @Test
  void topicsThatCannotBeReceivedFromAreRefused() {
    for (String topic :
        List.of("", "a b", "größe", "non-persistent://public/default/a", "x".repeat(201))) {
      assertThatThrownBy(() -> PulsarReceiver.of(CLUSTER, topic, "stock"))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("topic");
    }
    assertThatThrownBy(() -> PulsarReceiver.of(CLUSTER, "a", "a b"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("subscription");
  }

  @ParameterizedTest
  @ValueSource(strings = {"RECONSUMETIMES", "real_topic", "__pfn_input_topic__"})
  void headerByWhichConsumersRetryIsRefused(String header) {
    Message message = Message.to("a", "t").header(header, "x").build();
    assertThatThrownBy(() -> new PulsarBinding("/shop").properties(1, message))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining(header + "' has a meaning of its own in Pulsar");
  }

  @Test
  void renamedTopicMayStayTheOrigin() {
    PulsarReceiver receiver = PulsarReceiver.of(CLUSTER, "a", "stock");
    assertThat(receiver.origin("persistent://shop/orders/placed")).isNotSameAs(receiver);
    assertThatThrownBy(() -> receiver.origin("a b"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("origin");
  }

  @Test
  void topicIsCalledByItsWholeName() {
    assertThat(PulsarReceiver.of(CLUSTER, "orders", "stock"))
        .hasToString(
            "PulsarReceiver[stock of persistent://public/default/orders at"
                + " pulsar://pulsar-1:6650]");
    assertThat(PulsarSubscription.wholeName("shop/orders/placed"))
        .isEqualTo("persistent://shop/orders/placed");
    assertThat(PulsarSubscription.wholeName("persistent://shop/orders/placed"))
        .isEqualTo("persistent://shop/orders/placed");
  }
}
