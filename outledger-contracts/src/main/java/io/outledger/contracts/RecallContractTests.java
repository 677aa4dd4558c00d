// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** That what a client gives back is the relay's again, and everything else is still its own. */
abstract class RecallContractTests extends PublisherContractTests {

  private static final int MANY = 200;
  private static final Duration SILENCE = DELIVERY_TIME_MAX.plusSeconds(30);

  @Test
  void whatWasTakenBackIsNeitherSentNorToldOfUntilItIsHandedOverAgain() {
    List<Message> messages = messages(MANY, MANY);
    OutcomeBook book = new OutcomeBook();
    Set<Long> back;
    try (PublisherClient client = fixture().publisher().open(DELIVERY_TIME_MAX, book)) {
      for (int i = 0; i < MANY; i++) {
        client.publish(i, 1, messages.get(i));
      }
      back = client.recall();
      client.flush();
      List<Long> kept = new ArrayList<>();
      for (long position = 0; position < MANY; position++) {
        if (!back.contains(position)) {
          kept.add(position);
        }
      }
      book.await(kept, SILENCE);
      kept.forEach(each -> assertThat(book.of(each)).hasSize(1));
    }
    back.forEach(each -> assertThat(book.of(each)).as("told of %s", each).isEmpty());

    List<Message> again = back.stream().map(each -> messages.get(each.intValue())).toList();
    Message later = message("later");
    publishAll(List.of(later));
    assertThat(arrivalsOf(List.of(later)))
        .extracting(received -> UUID.fromString(received.id()))
        .noneMatch(id -> again.stream().anyMatch(message -> message.id().equals(id)));
    if (!again.isEmpty()) { // one that hands over at once has nothing to take back
      publishAll(again);
      assertArrivedInOrder(again);
    }
  }
}
