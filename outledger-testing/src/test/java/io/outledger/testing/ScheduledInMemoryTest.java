// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outledger.Delivery;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.Outbox;
import io.outledger.OutledgerException;
import io.outledger.event.Events;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class ScheduledInMemoryTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Delivery IN_AN_HOUR = Delivery.after(Duration.ofHours(1));

  private final SettableClock clock = new SettableClock(START);
  private final InMemoryOutbox outbox = new InMemoryOutbox(Events.builder().build(), clock);

  @Test
  void messageIsThereOnceTheClockHasComeToItsTime() {
    UUID id = outbox.append(message("a"), IN_AN_HOUR);
    clock.advance(Duration.ofHours(1).minusNanos(1));
    assertThat(outbox.messages()).isEmpty();
    assertThat(outbox.scheduled())
        .singleElement()
        .satisfies(
            waiting -> {
              assertThat(waiting.message().id()).isEqualTo(id);
              assertThat(waiting.dueAt()).isEqualTo(START.plus(Duration.ofHours(1)));
            });
    clock.advance(Duration.ofNanos(1));
    assertThat(outbox.messages())
        .singleElement()
        .satisfies(
            message -> {
              assertThat(message.id()).isEqualTo(id);
              assertThat(message.time()).isEqualTo(clock.now());
            });
    assertThat(outbox.scheduled()).isEmpty();
  }

  @Test
  void messagesComeInTheOrderOfTheirTimeAndThenInThatOfScheduling() {
    outbox.append(message("late"), Delivery.at(START.plusSeconds(2)));
    outbox.append(message("first"), Delivery.at(START.plusSeconds(1)));
    outbox.append(message("second"), Delivery.at(START.plusSeconds(1)));
    outbox.append(message("plain"));
    clock.advance(Duration.ofSeconds(2));
    assertThat(outbox.messages())
        .extracting(Message::key)
        .containsExactly("plain", "first", "second", "late");
  }

  @Test
  void clockThatIsSetBackDelaysAndRepeatsNothing() {
    outbox.append(message("a"), Delivery.after(Duration.ZERO));
    assertThat(outbox.messages()).hasSize(1);
    outbox.append(message("b"), Delivery.at(START.plusSeconds(1)));
    clock.setNow(START.minus(Duration.ofHours(1)));
    assertThat(outbox.messages()).extracting(Message::key).containsExactly("a");
    clock.setNow(START.plusSeconds(1));
    assertThat(outbox.messages()).extracting(Message::key).containsExactly("a", "b");
  }

  @Test
  void cancelledMessageNeverComes() {
    UUID id = outbox.append(message("a"), IN_AN_HOUR);
    outbox.append(message("b"), IN_AN_HOUR.named("b"));
    assertThat(outbox.cancel(id)).isTrue();
    assertThat(outbox.cancel(id)).isFalse();
    assertThat(outbox.cancel("b")).isTrue();
    assertThat(outbox.cancel("b")).isFalse();
    clock.advance(Duration.ofHours(2));
    assertThat(outbox.messages()).isEmpty();
  }

  @Test
  void whatATransactionHasCancelledDoesNotComeWhenItCommitsLater() {
    outbox.append(message("a"), IN_AN_HOUR.named("a"));
    InMemoryOutbox transaction = outbox.begin();
    assertThat(transaction.cancel("a")).isTrue();
    clock.advance(Duration.ofHours(2));
    outbox.commit(transaction);
    assertThat(outbox.messages()).isEmpty();
    assertThat(outbox.scheduled()).isEmpty();
  }

  @Test
  void messageThatIsDueCannotBeCancelled() {
    outbox.append(message("a"), IN_AN_HOUR.named("a"));
    clock.advance(Duration.ofHours(1));
    assertThat(outbox.cancel("a")).isFalse();
    assertThat(outbox.messages()).hasSize(1);
  }

  @Test
  void nameIsRefusedOrReplacedWhileItWaits() {
    outbox.append(message("a"), IN_AN_HOUR.named("one"));
    assertCode(ErrorCode.NAME_WAITING, () -> outbox.append(message("b"), IN_AN_HOUR.named("one")));
    outbox.append(message("c"), IN_AN_HOUR.replacing("one"));
    clock.advance(Duration.ofHours(1));
    assertThat(outbox.messages()).extracting(Message::key).containsExactly("c");
    outbox.append(message("d"), IN_AN_HOUR.named("one"));
    assertThat(outbox.scheduled()).hasSize(1);
  }

  @Test
  void transactionSchedulesAndCancelsWhenItCommits() {
    outbox.append(message("a"), IN_AN_HOUR.named("a"));
    InMemoryOutbox rolledBack = outbox.begin();
    rolledBack.append(message("b"), Delivery.after(Duration.ZERO));
    assertThat(rolledBack.cancel("a")).isTrue();
    assertThat(outbox.scheduled()).hasSize(1);
    InMemoryOutbox transaction = outbox.begin();
    assertThat(transaction.cancel("a")).isTrue();
    assertThat(transaction.cancel("a")).isFalse();
    transaction.append(message("c"), Delivery.after(Duration.ZERO).named("a"));
    assertThat(transaction.messages()).isEmpty();
    outbox.commit(transaction);
    assertThat(outbox.messages()).extracting(Message::key).containsExactly("c");
    assertThat(outbox.scheduled()).isEmpty();
  }

  @Test
  void outboxThatIsALambdaSaysThatItCannotSchedule() {
    Outbox lambda = ScheduledInMemoryTest::ids;
    assertCode(ErrorCode.NOT_SCHEDULING, () -> lambda.append(message("a"), IN_AN_HOUR));
    assertCode(ErrorCode.NOT_SCHEDULING, () -> lambda.cancel("a"));
    assertCode(ErrorCode.NOT_SCHEDULING, () -> lambda.cancel(new UUID(1, 2)));
  }

  private static List<UUID> ids(Collection<?> none) {
    return List.of();
  }

  private static void assertCode(ErrorCode code, Runnable call) {
    assertThatExceptionOfType(OutledgerException.class)
        .isThrownBy(call::run)
        .matches(e -> e.code() == code, code.code());
  }

  private static Message message(String key) {
    return Message.to("orders", "order.placed").key(key).build();
  }
}
