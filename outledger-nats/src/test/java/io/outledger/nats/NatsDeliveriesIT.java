// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.outledger.receive.Arrival;
import io.outledger.receive.Batch;
import io.outledger.receive.ReceiverSettings;
import io.outledger.servers.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What an open consumer takes, and gives back when it is closed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class NatsDeliveriesIT {

  private static final Duration PATIENCE = Duration.ofMillis(100);
  private static final Duration SOON = Duration.ofSeconds(10); // the server would wait for 30
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

  private static List<NatsReader.Place> places(List<Batch<NatsReader.Place>> batches) {
    return batches.stream().flatMap(each -> each.arrivals().stream()).map(Arrival::place).toList();
  }

  private List<NatsReader.Place> receivedSoon(String name, int ahead, int count) throws Exception {
    List<NatsReader.Place> received = new ArrayList<>();
    NatsDeliveries next = open(name, ahead);
    try {
      Await.until(
          "messages come",
          SOON,
          () -> {
            List<NatsReader.Place> came = places(next.receive(PATIENCE));
            if (!came.isEmpty()) {
              next.acknowledge(came);
            }
            received.addAll(came);
            return received.size() >= count;
          });
    } finally {
      next.close();
    }
    return received;
  }

  @Test
  void consumerThatIsDeletedBetweenTwoRequestsIsMissed() throws Exception {
    NatsDeliveries open = open("removed", 1);
    assertThat(open.receive(PATIENCE)).isEmpty();
    var unused = nats.ask(each -> each.jetStreamManagement().deleteConsumer("shop", "removed"));
    assertThatExceptionOfType(JetStreamApiException.class)
        .isThrownBy(
            () -> {
              for (int i = 0; i < 300; i++) {
                open.receive(PATIENCE);
              }
            })
        .withMessageContaining("consumer not found");
    open.close();
  }

  @Test
  void messageThatComesWhileAConsumerIsClosedIsThereForTheNextAtOnce() throws Exception {
    Connection publisher = nats.connect();
    try {
      NatsDeliveries first = open("late", 1);
      // The server has the request for longer than the client waits for the answer.
      nats.line.delay(Duration.ofMillis(80));
      assertThat(first.receive(PATIENCE)).isEmpty();
      var unused = publisher.jetStream().publish("shop.late", new byte[1]);
      first.close();
    } finally {
      NatsConnecting.close(publisher);
    }
    nats.line.pass();
    assertThat(receivedSoon("late", 1, 1)).hasSize(1);
  }

  @Test
  void noMessageIsLeftToWaitWhereAConsumerThatMayTakeManyIsClosed() throws Exception {
    Connection publisher = nats.connect();
    try {
      for (int i = 0; i < 10; i++) {
        var unused = publisher.jetStream().publish("shop.many", new byte[1]);
      }
    } finally {
      NatsConnecting.close(publisher);
    }
    NatsDeliveries first = open("many", 4);
    assertThat(places(first.receive(PATIENCE))).hasSize(4);
    first.close();
    assertThat(receivedSoon("many", 4, 10)).doesNotHaveDuplicates().hasSize(10);
  }
}
