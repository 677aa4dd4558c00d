// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.BlockingClient;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CrashingPublisherTest {

  /** Nothing that it is handed begins. */
  private static final class Waiting implements Publisher {

    @Override
    public KeyOrder keyOrder() {
      return KeyOrder.ONE_AT_A_TIME;
    }

    @Override
    public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
      return new BlockingClient(
          task -> {}, (position, attempt, message) -> Outcome.PUBLISHED, outcomes);
    }
  }

  @Test
  void whatWaitsInThePublisherWithinIsTakenBack() {
    List<Message> arrived = new ArrayList<>();
    List<Outcome> outcomes = new ArrayList<>();
    PublisherClient client =
        new CrashingPublisher(new Waiting(), new CrashSteps(CrashSteps.NEVER), arrived::add)
            .open(Duration.ofMinutes(1), (position, outcome) -> outcomes.add(outcome));
    client.publish(1, 1, Message.to("orders", "order.placed").build());
    assertThat(client.recall()).containsExactly(1L);
    client.close();
    assertThat(outcomes).isEmpty();
    assertThat(arrived).isEmpty();
  }
}
