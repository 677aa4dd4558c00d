// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.nats.client.JetStreamApiException;
import io.outledger.receive.ReceiverSettings;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What an open consumer takes, and gives back when it is closed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class NatsDeliveriesIT {

  private static final Duration PATIENCE = Duration.ofMillis(100);
  private static final Duration ACK_WAIT = Duration.ofSeconds(30);

  private final ProxiedNats nats = ProxiedNats.start("");

  @BeforeAll
  void createStream() throws Exception {
    nats.createStream("shop", "shop.>");
  }

  @AfterEach
  void mend() {
    nats.line.pass();
  }

  @AfterAll
  void close() {
    nats.close();
  }

  private NatsDeliveries open(String name, int ahead) throws Exception {
    return NatsDeliveries.open(
        nats.options(),
        new NatsConsumer("shop", name, "shop." + name, ahead, ACK_WAIT),
        ReceiverSettings.DEFAULT,
        new NatsDeliveries.Unfinished());
  }

  @Test
  void consumerThatIsDeletedBetweenTwoRequestsIsMissed() throws Exception {
    NatsDeliveries open = open("removed", 1);
    assertThat(open.receive(PATIENCE)).isEmpty();
    var unused = nats.ask(each -> each.jetStreamManagement().deleteConsumer("shop", "removed"));
    assertThatExceptionOfType(JetStreamApiException.class)
        .isThrownBy(
            () -> {
              for (int i = 0; i < 40; i++) {
                open.receive(PATIENCE);
              }
            })
        .withMessageContaining("consumer not found");
    open.close();
  }
}
