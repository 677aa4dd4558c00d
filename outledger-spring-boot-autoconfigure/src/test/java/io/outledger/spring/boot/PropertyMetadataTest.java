// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Setting;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PropertyMetadataTest {

  @Test
  void everyPropertyIsKnownToIdesWithADescription() throws IOException {
    String metadata = metadata();

    assertThat(PropertyNames.all())
        .allSatisfy(
            name ->
                assertThat(metadata)
                    .containsPattern("\"name\": \"" + name + "\",[^}]*\"description\": \"[^\"]"));
  }

  @Test
  void theNearestNameOfAMisspeltOneIsFound() {
    assertThat(PropertyNames.distance("outledger.relay.enable", "outledger.relay.enabled")).isOne();
    assertThat(PropertyNames.distance("same", "same")).isZero();
    assertThat(PropertyNames.distance("", "abc")).isEqualTo(3);
  }

  @Test
  void theNamesThatUsersKnowFromElsewhereAreUnderstood() {
    assertThat(PropertyNames.meant("outledger.retry.max-retries"))
        .isEqualTo("outledger.relay.attempts-max");
    assertThat(PropertyNames.meant("outledger.retry.exponential.initial-delay"))
        .isEqualTo("outledger.relay.backoff-first");
    assertThat(PropertyNames.meant("outledger.polling.fixed.interval"))
        .isEqualTo("outledger.relay.poll-interval");
    assertThat(PropertyNames.meant("outledger.processing.delete-completed-records"))
        .isEqualTo("outledger.retention.messages");
    assertThat(PropertyNames.meant("outledger.jdbc.schema-initialization.enabled"))
        .isEqualTo("outledger.schema-initialization");
    assertThat(PropertyNames.meant("outledger.events.externalization.enabled"))
        .isEqualTo("outledger.relay.enabled");
    assertThat(PropertyNames.meant("outledger.events.completion-mode"))
        .isEqualTo("outledger.retention.messages");
    assertThat(PropertyNames.meant("outledger.jdbc.schema")).isEqualTo("outledger.schema");
    assertThat(PropertyNames.meant("outledger.relay.enable")).isEqualTo("outledger.relay.enabled");
  }

  @Test
  void aMisspeltPropertyOfABrokerIsFoundUnderItsOwnName() {
    assertThat(PropertyNames.meant("outledger.publishers.orders.rabbitmq.exchnge"))
        .isEqualTo("outledger.publishers.orders.rabbitmq.exchange");
    assertThat(PropertyNames.meant("outledger.publisher.orders.kafka.enabled"))
        .isEqualTo("outledger.publishers.orders.kafka.enabled");
    assertThat(PropertyNames.meant("outledger.reciever.billing.kafka.topic"))
        .isEqualTo("outledger.receivers.billing.kafka.topics");
    assertThat(PropertyNames.meant("outledger.publishers.orders.rabbit.exchange"))
        .isEqualTo("outledger.publishers.orders.rabbitmq.exchange");
    assertThat(PropertyNames.meant("outledger.receivers.billing.kafka.topic"))
        .isEqualTo("outledger.receivers.billing.kafka.topics");
    assertThat(PropertyNames.meant("outledger.subscriptions.orders.attempt-max"))
        .isEqualTo("outledger.subscriptions.orders.attempts-max");
  }

  @Test
  void theFormerPropertiesOfKafkaLeadToThoseOfToday() {
    assertThat(PropertyNames.meant("outledger.kafka.source"))
        .isEqualTo("outledger.publishers.kafka.source");
    assertThat(PropertyNames.meant("outledger.kafka.topic-prefix"))
        .isEqualTo("outledger.publishers.kafka.kafka.topic");
    assertThat(PropertyNames.meant("outledger.kafka.properties.linger.ms"))
        .isEqualTo("outledger.publishers.kafka.kafka.properties.linger.ms");
  }

  @Test
  void aNameFromElsewhereLeadsToAPropertyThatThereIs() {
    assertThat(PropertyNames.all())
        .containsAll(PropertyNames.elsewhere())
        .noneMatch(name -> !PropertyNames.meant(name).equals(name));
  }

  private static String metadata() throws IOException {
    try (InputStream resource =
        OutledgerProperties.class.getResourceAsStream(
            "/META-INF/spring-configuration-metadata.json")) {
      return new String(Objects.requireNonNull(resource).readAllBytes(), UTF_8);
    }
  }

  @Test
  void theSettingsThatErrorsAskForAreProperties() {
    assertThat(Setting.values())
        .extracting(setting -> setting.property().replaceAll("=.*", ""))
        .filteredOn(name -> !name.startsWith("@")) // an annotation
        .isSubsetOf(PropertyNames.all());
  }
}
