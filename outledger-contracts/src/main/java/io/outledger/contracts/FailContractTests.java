// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** That an outage is told from a message that is to blame. */
abstract class FailContractTests extends PublisherContractTests {

  private static final int ATTEMPTS = 20;

  @Test
  void unacceptableMessageIsRejectedAndOthersArrive() {
    List<Message> messages =
        List.of(message("a"), fixture().unacceptable("b"), message("c"), message("d"));
    try (Sender sender = sender()) {
      List<Outcome> outcomes = sender.sendAll(messages);
      assertThat(outcomes.get(1))
          .isInstanceOfSatisfying(
              Outcome.Rejected.class, rejected -> assertThat(rejected.reason()).isNotBlank());
      assertThat(List.of(outcomes.get(0), outcomes.get(2), outcomes.get(3)))
          .containsOnly(Outcome.PUBLISHED);
    }
    arrivalsOf(List.of(messages.get(0), messages.get(2), messages.get(3)));
  }

  /** An application may tell one event on several topics, with one id. */
  @Test
  void rejectionIsNotTakenForThatOfAnotherMessageWithItsId() {
    Message before = fixture().unacceptable("a");
    Message after = fixture().unacceptable("a");
    Message behind = message("b").copy().id(before.id()).build();
    Message inFront = message("b").copy().id(after.id()).build();
    try (Sender sender = sender()) {
      List<Outcome> first = sender.sendAll(List.of(before, behind));
      List<Outcome> second = sender.sendAll(List.of(inFront, after));
      assertThat(List.of(first.get(1), second.get(0))).containsOnly(Outcome.PUBLISHED);
      if (!fixture().knowsMessagesById()) {
        assertThat(List.of(first.get(0), second.get(1)))
            .hasOnlyElementsOfType(Outcome.Rejected.class);
      }
    }
    arrivalsOf(List.of(behind, inFront));
  }

  @Test
  void clientGoesOnAfterARejection() {
    Message next = message("a");
    try (Sender sender = sender()) {
      assertThat(sender.sendAll(List.of(fixture().unacceptable("a"))))
          .hasOnlyElementsOfType(Outcome.Rejected.class);
      assertThat(sender.sendAll(List.of(next))).containsExactly(Outcome.PUBLISHED);
    }
    arrivalsOf(List.of(next));
  }

  @Test
  void destinationThatIsAwayIsToBlameAndNoMessage() {
    Sender sender = new Sender(fixture().publisher(), SHORT_DELIVERY_TIME_MAX);
    sender.connect(message("a"));
    int before = sender.outcomes().size();
    fixture().takeAway();
    assertThat(sender.sendAll(messages(20, 20))).hasOnlyElementsOfType(Outcome.Unavailable.class);
    sender.close();
    assertThat(sender.outcomes()).hasSize(before + 20);
    fixture().bringBack();
  }

  @Test
  void clientOpenedWhileTheDestinationIsAwayBlamesNoMessage() {
    fixture().takeAway();
    assertThat(outcomesWhileAway(messages(5, 5))).hasOnlyElementsOfType(Outcome.Unavailable.class);
    fixture().bringBack();
  }

  @Test
  void newClientPublishesOnceTheDestinationIsBack() {
    List<Message> messages = messages(20, 3);
    try (Sender sender = sender()) {
      sender.sendAll(messages.subList(0, 5));
    }
    fixture().takeAway();
    outcomesWhileAway(List.of(messages.get(5)));
    fixture().bringBack();
    publishAll(messages.subList(5, 20));
    assertArrivedInOrder(messages);
  }

  /** A relay keeps a client whose messages were all certainly not sent. */
  @Test
  void connectionThatIsLostWhileNothingIsOnItsWayIsNotKept() {
    Message next = message("a");
    Sender sender = sender();
    try {
      assertThat(sender.sendAll(List.of(message("a")))).containsExactly(Outcome.PUBLISHED);
      fixture().takeAway();
      outcomesWhileAway(List.of(message("b")));
      fixture().bringBack();
      Outcome outcome = null;
      for (int i = 0; i < ATTEMPTS && outcome != Outcome.PUBLISHED; i++) {
        outcome = sender.sendAll(List.of(next)).get(0);
        if (outcome instanceof Outcome.Unavailable unavailable && !unavailable.isFateKnown()) {
          sender.close();
          sender = sender();
        }
      }
      assertThat(outcome).isEqualTo(Outcome.PUBLISHED);
    } finally {
      sender.close();
    }
    arrivalsOf(List.of(next));
  }

  private List<Outcome> outcomesWhileAway(List<Message> messages) {
    try (Sender sender = new Sender(fixture().publisher(), SHORT_DELIVERY_TIME_MAX)) {
      return sender.sendAll(messages);
    } catch (DestinationUnavailableException e) {
      return List.of(Outcome.unavailable(String.valueOf(e.getMessage())));
    }
  }
}
