// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.servers.KafkaBroker;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopicReaderIT {

  private final KafkaBroker kafka = KafkaBroker.shared();
  private final TopicReader reader = new TopicReader(kafka.bootstrapServers());

  @Test
  void unknownTopicIsToldWithThoseThereAreAndIsNotCreated() {
    kafka.createTopic("listed", 1, Map.of());
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> reader.read("missing"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("there is no topic 'missing' at " + reader.bootstrapServers())
          .hasMessageContaining("there are: ")
          .hasMessageContaining("listed");
    }
    assertThat(reader.read("listed")).isEmpty();
  }
}
