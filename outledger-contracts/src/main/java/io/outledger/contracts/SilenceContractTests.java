// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.contracts.PublisherFixture.LateAnswer;
import io.outledger.inbox.Received;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcome.Unavailable;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** That a message without an answer has an unknown fate, and is sent again. */
abstract class SilenceContractTests extends PublisherContractTests {

  private static final int KEYS = 5;

  private static final int ATTEMPTS = 20;

  /** The destination was there all the time: no time-out of its own, in minutes, is waited for. */
  private static final Duration AGAIN_MAX = Duration.ofMinutes(1);

  @Test
  void messagesWhoseAnswersAreLostAreSentAgainInOrder() {
    List<Message> earlier = messages(KEYS, KEYS);
    List<Message> lost = messages(4 * KEYS, KEYS);
    List<Message> onTheirWay = onTheirWayAtOnce(lost);
    List<Message> later = IntStream.range(0, KEYS).mapToObj(i -> message("new-" + i)).toList();
    Sender open = openAfter(earlier);
    int before = open.outcomes().size();
    fixture().loseAnswers();
    onTheirWay.forEach(open::send);
    open.client().flush();
    List<Outcome> ofNewClient = outcomesOfNewClient(later);
    List<Outcome> ofOpenClient =
        outcomesUntilClosed(open).subList(before, before + onTheirWay.size());
    assertThat(ofOpenClient).anyMatch(SilenceContractTests::isWithoutAnswer);
    assertThat(ofOpenClient).hasOnlyElementsOfType(Unavailable.class);
    assertThat(ofNewClient).hasOnlyElementsOfType(Unavailable.class);
    fixture().bringBack();
    List<String> arrived = arrivalsOf(earlier).stream().map(Received::id).toList();
    assertThat(arrived).noneMatch(unsent(onTheirWay, ofOpenClient)::contains);
    assertThat(arrived).noneMatch(unsent(later, ofNewClient)::contains);
    long started = TimeSource.system().nanoTime();
    publishAll(lost);
    publishAll(later);
    assertThat(TimeSource.system().nanoTime() - started).isLessThan(AGAIN_MAX.toNanos());
    assertArrivedInOrder(Stream.of(earlier, lost, later).flatMap(List::stream).toList());
  }

  /** Returns a client that has published messages: what has just started may be slow. */
  private Sender openAfter(List<Message> messages) {
    for (int i = 0; i < ATTEMPTS; i++) {
      Sender sender = new Sender(fixture().publisher(), SHORT_DELIVERY_TIME_MAX);
      if (sender.sendInOrder(messages).isEmpty()) {
        return sender;
      }
      sender.close();
    }
    throw new AssertionError("no client could publish " + messages);
  }

  /** Of a key with one message at a time the next one is not handed over before an answer. */
  private List<Message> onTheirWayAtOnce(List<Message> messages) {
    if (fixture().publisher().keyOrder() == KeyOrder.PIPELINED) {
      return messages;
    }
    Set<String> keys = new HashSet<>();
    return messages.stream().filter(message -> keys.add(message.key())).toList();
  }

  /** Its connection is accepted, and that is all it hears. */
  private List<Outcome> outcomesOfNewClient(List<Message> messages) {
    try (Sender sender = new Sender(fixture().publisher(), SHORT_DELIVERY_TIME_MAX)) {
      messages.forEach(sender::send);
      return outcomesUntilClosed(sender);
    } catch (DestinationUnavailableException e) {
      return messages.stream().map(none -> Outcome.unreachable(e.getMessage())).toList();
    }
  }

  /** As the relay hears them: it hands nothing more over once a message met an outage. */
  private List<Outcome> outcomesUntilClosed(Sender sender) {
    if (fixture().lateAnswer() != LateAnswer.AWAITED) {
      sender.awaitOutcomesOrOutage();
    }
    sender.close();
    return sender.outcomes();
  }

  private static boolean isWithoutAnswer(Outcome outcome) {
    return outcome instanceof Unavailable away && !away.isFateKnown();
  }

  /** Returns the ids of those that were told to be certainly not sent. */
  private static List<String> unsent(List<Message> messages, List<Outcome> outcomes) {
    return IntStream.range(0, messages.size())
        .filter(i -> outcomes.get(i) instanceof Unavailable away && away.isFateKnown())
        .mapToObj(i -> messages.get(i).id().toString())
        .toList();
  }
}
