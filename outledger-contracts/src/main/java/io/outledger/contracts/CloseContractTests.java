// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.publish.Outcome;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** That a client which was closed is silent, to the destination and to the relay. */
abstract class CloseContractTests extends PublisherContractTests {

  private static final int MANY = 200;

  @Test
  void closeTellsWhatBecameOfEveryMessage() {
    Sender sender = sender();
    messages(MANY, MANY).forEach(sender::send);
    sender.close();
    assertThat(sender.outcomes())
        .hasSize(MANY)
        .hasOnlyElementsOfTypes(Outcome.Published.class, Outcome.Unavailable.class);
  }

  @Test
  void nothingIsToldAfterClose() {
    Sender sender = sender();
    messages(MANY, MANY).forEach(sender::send);
    sender.close();
    List<Outcome> atClose = sender.outcomes();
    Message later = message("later");
    publish(later);
    arrivalsOf(List.of(later));
    assertThat(sender.outcomes()).isEqualTo(atClose);
  }

  @Test
  void whatWasToldToBePublishedHasArrived() {
    List<Message> messages = messages(MANY, MANY);
    Sender sender = sender();
    messages.forEach(sender::send);
    sender.close();
    List<Outcome> outcomes = sender.outcomes();
    Message later = message("later");
    publish(later);
    List<UUID> arrived = ids(arrivalsOf(List.of(later)));
    for (int i = 0; i < MANY; i++) {
      if (outcomes.get(i) instanceof Outcome.Published) {
        arrived = awaited(arrived, messages.get(i));
      }
    }
  }

  @Test
  void messageHandedOverAfterCloseNeverArrives() {
    Sender closed = sender();
    closed.sendAll(List.of(message("a")));
    closed.close();
    Message late = message("a");
    closed.send(late);
    closed.awaitOutcomes();
    assertThat(closed.outcomes().get(1)).isInstanceOf(Outcome.Unavailable.class);
    Message next = message("a");
    publish(next);
    assertThat(ids(arrivalsOf(List.of(next)))).contains(next.id()).doesNotContain(late.id());
  }

  @Test
  void closingTwiceIsClosingOnce() {
    Sender sender = sender();
    messages(10, 10).forEach(sender::send);
    sender.close();
    sender.close();
    assertThat(sender.outcomes()).hasSize(10);
  }

  @Test
  void clientIsClosedByAnotherThread() throws InterruptedException {
    Sender sender = sender();
    messages(10, 10).forEach(sender::send);
    Thread another = new Thread(sender::close, "closes the client");
    another.start();
    another.join();
    assertThat(sender.outcomes()).hasSize(10);
  }

  @Test
  void unusedClientIsClosed() {
    Sender sender = sender();
    sender.client().flush();
    sender.close();
    assertThat(sender.outcomes()).isEmpty();
  }

  /**
   * Publishes a message through new clients, of which the first may be disturbed: a broker that
   * serves one connection of a name ends it for that of the closed client, which still connects.
   */
  private void publish(Message message) {
    publishAll(List.of(message));
  }

  private List<UUID> awaited(List<UUID> arrived, Message message) {
    return arrived.contains(message.id()) ? arrived : ids(arrivalsOf(List.of(message)));
  }

  private static List<UUID> ids(List<Received> arrivals) {
    return arrivals.stream().map(received -> UUID.fromString(received.id())).toList();
  }
}
