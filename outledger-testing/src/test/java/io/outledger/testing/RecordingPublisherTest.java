// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.outledger.Message;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

final class RecordingPublisherTest {

  private static final Rejected TOO_LARGE = new Rejected("too large", Rejected.Kind.DEFINITE);

  private record Report(long position, Outcome outcome) {}

  private final RecordingPublisher publisher = new RecordingPublisher();
  private final List<Report> reports = new ArrayList<>();

  @Test
  void arrivalsAreRecordedInOrderAndAcknowledged() {
    try (PublisherClient client = open(publisher)) {
      client.publish(4, 1, message("a"));
      client.publish(2, 1, message("b"));
    }
    assertThat(publisher.positions()).containsExactly(4L, 2L);
    assertThat(publisher.messages("b")).hasSize(1);
    assertThat(outcomes()).containsExactly(Outcome.PUBLISHED, Outcome.PUBLISHED);
    assertThat(publisher.arrivals()).extracting(arrival -> arrival.client()).containsOnly(1);
    publisher.clear();
    assertThat(publisher.messages()).isEmpty();
  }

  @Test
  void nextMessagesAreRejected() {
    publisher.rejectNext(1, TOO_LARGE);
    try (PublisherClient client = open(publisher)) {
      client.publish(1, 1, message("a"));
      client.publish(2, 1, message("b"));
    }
    assertThat(outcomes()).containsExactly(TOO_LARGE, Outcome.PUBLISHED);
    assertThat(publisher.positions()).containsExactly(2L);
  }

  @Test
  void matchingMessagesAreRejectedUntilAllAreAccepted() {
    publisher.rejectWhen(message -> "a".equals(message.key()), TOO_LARGE);
    try (PublisherClient client = open(publisher)) {
      client.publish(1, 1, message("a"));
      client.publish(2, 1, message("b"));
      publisher.acceptAll();
      client.publish(3, 1, message("a"));
    }
    assertThat(outcomes()).containsExactly(TOO_LARGE, Outcome.PUBLISHED, Outcome.PUBLISHED);
  }

  @Test
  void destinationIsDownUntilItComesBack() {
    publisher.goDownAndRefuseClients();
    assertThatExceptionOfType(DestinationUnavailableException.class)
        .isThrownBy(() -> open(publisher));
    publisher.comeBack();
    try (PublisherClient client = open(publisher)) {
      publisher.failNext(1);
      client.publish(1, 1, message("a"));
      client.publish(2, 1, message("a"));
      publisher.goDown();
      client.publish(3, 1, message("a"));
    }
    assertThat(outcomes().get(0)).isInstanceOf(Outcome.Unavailable.class);
    assertThat(outcomes().get(1)).isEqualTo(Outcome.PUBLISHED);
    assertThat(outcomes().get(2)).isInstanceOf(Outcome.Unavailable.class);
    assertThat(publisher.positions()).containsExactly(2L);
  }

  @Test
  void outcomesAreHeldBackUntilReleased() {
    publisher.holdOutcomes();
    try (PublisherClient client = open(publisher)) {
      client.publish(1, 1, message("a"));
      client.publish(2, 1, message("a"));
      client.publish(3, 1, message("a"));
      assertThat(reports).isEmpty();
      assertThat(publisher.positions()).containsExactly(1L, 2L, 3L);
      publisher.releaseOne();
      assertThat(reports).containsExactly(new Report(1, Outcome.PUBLISHED));
      publisher.releaseOutcomes();
      assertThat(outcomes()).hasSize(3).containsOnly(Outcome.PUBLISHED);
    }
    assertThat(reports).hasSize(3);
  }

  @Test
  void closeTellsThatWhatIsHeldBackIsUnknown() {
    publisher.holdOutcomes();
    PublisherClient client = open(publisher);
    client.publish(1, 1, message("a"));
    client.close();
    publisher.releaseOutcomes();
    assertThat(outcomes()).hasSize(1).hasOnlyElementsOfType(Outcome.Unavailable.class);
    assertThat(publisher.positions()).containsExactly(1L);
  }

  @Test
  void nothingArrivesThroughAClosedClientAndItIsNoted() {
    PublisherClient client = open(publisher);
    client.close();
    client.publish(1, 1, message("a"));
    assertThat(publisher.messages()).isEmpty();
    assertThat(publisher.handedOverAfterClose()).hasSize(1);
    assertThat(outcomes()).hasOnlyElementsOfType(Outcome.Unavailable.class);
  }

  @Test
  void whatWaitsToBeOvertakenArrivesWhereNothingIsToBeReversedAnyMore() {
    publisher.reverseNext(3);
    try (PublisherClient client = open(publisher)) {
      client.publish(1, 1, message("a"));
      client.publish(2, 1, message("b"));
      publisher.reverseNext(0);
      client.publish(3, 1, message("c"));
      assertThat(publisher.positions()).containsExactly(2L, 1L, 3L);
    }
    assertThat(outcomes()).hasSize(3).containsOnly(Outcome.PUBLISHED);
  }

  @Test
  void clientsThatShareTheCountLoseNothing() {
    publisher.reverseNext(2);
    try (PublisherClient first = open(publisher);
        PublisherClient second = open(publisher)) {
      first.publish(1, 1, message("a"));
      second.publish(2, 1, message("b"));
      first.publish(3, 1, message("c"));
      assertThat(publisher.positions()).containsExactly(2L, 1L, 3L);
    }
    assertThat(outcomes()).hasSize(3).containsOnly(Outcome.PUBLISHED);
  }

  @Test
  void negativeNumbersOfMessagesAreRefused() {
    List<ThrowingCallable> calls =
        List.of(
            () -> publisher.rejectNext(-1, TOO_LARGE),
            () -> publisher.failNext(-1),
            () -> publisher.duplicateNext(-1),
            () -> publisher.reverseNext(-1));
    assertThat(calls)
        .allSatisfy(
            call ->
                assertThatIllegalArgumentException()
                    .isThrownBy(call)
                    .withMessage("messages is -1 but must be 0 or more"));
  }

  @Test
  void openClientsAreCounted() {
    PublisherClient first = open(publisher);
    PublisherClient second = open(publisher);
    assertThat(publisher.openClients()).isEqualTo(2);
    first.close();
    first.close();
    assertThat(publisher.openClients()).isEqualTo(1);
    second.close();
    assertThat(publisher.openClients()).isZero();
    assertThat(publisher.clientsOpened()).isEqualTo(2);
  }

  @Test
  void outcomesAreReportedWhereTheTestWants() {
    List<Runnable> later = new ArrayList<>();
    RecordingPublisher other = new RecordingPublisher(KeyOrder.ONE_AT_A_TIME, later::add);
    assertThat(other.keyOrder()).isEqualTo(KeyOrder.ONE_AT_A_TIME);
    try (PublisherClient client = open(other)) {
      client.publish(1, 1, message("a"));
      assertThat(reports).isEmpty();
      later.forEach(Runnable::run);
      assertThat(reports).hasSize(1);
    }
  }

  private PublisherClient open(RecordingPublisher opened) {
    return opened.open(
        Duration.ofSeconds(5), (position, outcome) -> reports.add(new Report(position, outcome)));
  }

  private List<Outcome> outcomes() {
    return reports.stream().map(Report::outcome).toList();
  }

  private static Message message(String key) {
    return Message.to("orders", "order.placed").key(key).build();
  }
}
