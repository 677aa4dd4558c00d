// SPDX-License-Identifier: Apache-2.0
package io.outledger.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

final class InboxTest {

  /** A store whose transaction is the set of what it remembers. */
  private static final InboxStore<Set<InboxId>> SETS =
      (transaction, consumer, ids) -> {
        Set<InboxId> fresh = new HashSet<>(ids);
        fresh.removeAll(transaction);
        transaction.addAll(fresh);
        return fresh;
      };

  private final Set<InboxId> remembered = new HashSet<>();
  private final Inbox<Set<InboxId>> inbox = new Inbox<>("stock", SETS);

  private static Received received(String source, String id) {
    return new Received(source, id, "t", null, "t", 1, new byte[0], Map.of(), null, "", "");
  }

  @Test
  void duplicateMessageIsHandledOnce() {
    List<String> ran = new ArrayList<>();
    Received message = received("s", "a");
    assertThat(inbox.process(remembered, message, () -> ran.add("a")))
        .isEqualTo(InboxOutcome.PROCESSED);
    assertThat(inbox.process(remembered, message, () -> ran.add("again")))
        .isEqualTo(InboxOutcome.DUPLICATE);
    assertThat(ran).containsExactly("a");
  }

  @Test
  void aDuplicateInsideABatchIsHandledOnceAndOutcomesKeepTheOrder() {
    inbox.process(remembered, received("s", "b"), () -> {});
    List<String> ran = new ArrayList<>();
    List<InboxOutcome> outcomes =
        inbox.processAll(
            remembered,
            List.of(received("s", "c"), received("s", "b"), received("s", "c"), received("z", "c")),
            fresh -> fresh.forEach(message -> ran.add(message.source() + message.id())));
    assertThat(ran).containsExactly("sc", "zc");
    assertThat(outcomes)
        .containsExactly(
            InboxOutcome.PROCESSED,
            InboxOutcome.DUPLICATE,
            InboxOutcome.DUPLICATE,
            InboxOutcome.PROCESSED);
  }

  @Test
  void workIsNotRunForABatchOfDuplicatesOrAnEmptyOne() {
    inbox.process(remembered, received("s", "a"), () -> {});
    Inbox.BatchWork<IllegalStateException> never =
        fresh -> {
          throw new IllegalStateException("ran for " + fresh);
        };
    assertThat(inbox.processAll(remembered, List.of(), never)).isEmpty();
    assertThat(inbox.processAll(remembered, List.of(received("s", "a")), never))
        .containsExactly(InboxOutcome.DUPLICATE);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", " ", "\u0000", "a\u0000", "\ud800", "x\udc00y", "\udfff"})
  void anIdThatCannotTellMessagesApartIsRefused(String id) {
    assertThatThrownBy(() -> received("s", id))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageStartingWith("OUT-014");
    assertThatThrownBy(() -> received(id, "a")).isInstanceOf(InvalidMessageException.class);
  }

  @Test
  void anIdIsBounded() {
    received("s".repeat(200), "i".repeat(500));
    assertThatThrownBy(() -> received("s", "i".repeat(501)))
        .isInstanceOf(InvalidMessageException.class);
    assertThatThrownBy(() -> received("s".repeat(201), "i"))
        .isInstanceOf(InvalidMessageException.class);
    assertThat(new Inbox<>("n".repeat(100), SETS).consumer()).hasSize(100);
    assertThatThrownBy(() -> new Inbox<>("n".repeat(101), SETS))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("OUT-006");
  }

  @Test
  void whatFailedIsNamedWithoutWhatMayBePersonal() {
    Received failed =
        new Received(
            "s", "a", "t", "secret", "t", 3, new byte[] {7}, Map.of("h", "secret"), null, "", "");
    assertThat(failed).hasToString("Received[a from s t t v3]");
    ReceiveFailedException thrown =
        new ReceiveFailedException(2, failed, new IllegalStateException("secret"));
    assertThat(thrown.done()).isEqualTo(2);
    assertThat(thrown.code()).isEqualTo(ErrorCode.MESSAGE_REJECTED);
    assertThat(thrown).hasMessageContaining("Received[a").hasMessageNotContaining("secret");
    InvalidMessageException ours = new InvalidMessageException(ErrorCode.MISSING_KEY, "none");
    assertThat(new ReceiveFailedException(0, failed, ours).code()).isEqualTo(ErrorCode.MISSING_KEY);
  }

  @Test
  void aRetentionShorterThanTheRetrySpanIsRefused() {
    InboxRetention retention = new InboxRetention(Duration.ofDays(7));
    retention.check(Duration.ofDays(7), "a topic");
    assertThatThrownBy(() -> retention.check(Duration.ofDays(8), "a topic"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("OUT-018")
        .hasMessageContaining("a topic");
  }

  @Test
  void whereAMessageCameFromIsPartOfItsIdentity() {
    assertThat(from("orders").inboxId()).isEqualTo(from("orders").inboxId());
    assertThat(from("public").inboxId()).isNotEqualTo(from("orders").inboxId());
    assertThat(from("").inboxId()).isEqualTo(new InboxId("s", "1"));
    for (String origin : List.of("two words", "o".repeat(257), "grün", "line\n")) {
      assertThatThrownBy(() -> from(origin)).isInstanceOf(InvalidMessageException.class);
    }
  }

  @Test
  void aSourceWithASpaceIsNotTakenForOneBehindAnOrigin() {
    List<Received> messages =
        List.of(
            from("a", "b"), from("", "a b"), from("a", " b"), from("", "a  b"), from("", " a b"));
    assertThat(messages.stream().map(Received::inboxId)).doesNotHaveDuplicates();
    assertThat(from("a", "b").inboxId().source()).isEqualTo("a b");
    assertThat(from("", "b").inboxId().source()).isEqualTo("b");
  }

  @Test
  void aSubscriptionIsKnownByTheSourceOfItsMessagesAlsoWhereItsNameHasASpace() {
    Message message = Message.to("orders", "order.placed").build();
    for (String subscription : List.of("mail", "mail to customers")) {
      assertThat(Received.ofLedger(subscription, 7, message).inboxId().source())
          .isEqualTo(Received.inboxSourceOf(subscription));
    }
  }

  private static Received from(String origin) {
    return from(origin, "s");
  }

  private static Received from(String origin, String source) {
    return new Received(source, "1", "t", null, "t", 1, new byte[0], Map.of(), null, origin, "");
  }
}
