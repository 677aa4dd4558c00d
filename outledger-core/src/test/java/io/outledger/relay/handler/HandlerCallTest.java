// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.StoreException;
import io.outledger.UnreadablePayloadException;
import io.outledger.log.KeptLog;
import io.outledger.publish.BlockingClient;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.relay.context.SetTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.Level;

class HandlerCallTest {

  private static final Message MESSAGE = Message.to("orders", "placed").build();

  private final Map<Long, Outcome> outcomes = new TreeMap<>();
  private final List<Runnable> handling = new ArrayList<>();
  private final KeptLog kept = new KeptLog(Level.INFO);
  private final SetTime time = new SetTime();

  private BlockingClient client(MessageHandler handler) {
    return client(handler, outcomes::put);
  }

  private BlockingClient client(MessageHandler handler, Outcomes told) {
    HandlerCall call = new HandlerCall("mail", handler, told, kept.quiet("handler mail", time));
    return new BlockingClient(handling::add, call, told);
  }

  /** What it has waited for a thread is no work. */
  @Test
  void beginOfTheWorkIsToldWhenAThreadTakesItUp() {
    List<String> told = new ArrayList<>();
    Outcomes both =
        new Outcomes() {
          @Override
          public void report(long position, Outcome outcome) {
            told.add(position + " " + outcome);
          }

          @Override
          public void begins(long position) {
            told.add(position + " begins");
          }
        };
    client(message -> told.add("works"), both).publish(7, 1, MESSAGE);
    assertThat(told).isEmpty();
    handling.get(0).run();
    assertThat(told).containsExactly("7 begins", "works", "7 " + Outcome.PUBLISHED);
  }

  @Test
  void interruptStaysSetAndTheMessageIsTriedAgain() {
    client(
            message -> {
              throw new InterruptedException();
            })
        .publish(1, 1, MESSAGE);
    handling.get(0).run();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(outcomes.get(1L)).extracting("kind").isEqualTo(Outcome.Rejected.Kind.SUSPECT);
  }

  @Test
  void whatThisBuildCannotReadIsTriedAgainAndBlamesNoHandler() {
    client(
            message -> {
              throw new StoreException(ErrorCode.UNREADABLE_PAYLOAD, "a newer class");
            })
        .publish(1, 1, MESSAGE);
    handling.get(0).run();
    assertThat(outcomes.get(1L)).extracting("kind").isEqualTo(Outcome.Rejected.Kind.DEFINITE);
  }

  /** Such as a saga that a newer build has written. */
  @ParameterizedTest
  @EnumSource(names = {"SCHEMA_PENDING", "SAGA_UNREADABLE"})
  void whatIsNotHereYetCountsNoAttempt(ErrorCode code) {
    client(
            message -> {
              throw new StoreException(code, "not yet");
            })
        .publish(1, 1, MESSAGE);
    handling.get(0).run();
    assertThat(outcomes.get(1L)).extracting("kind").isEqualTo(Outcome.Rejected.Kind.NOT_YET);
  }

  @Test
  void handlerThatFailsForEveryMessageIsALineASecondWithOneTrace() {
    BlockingClient client =
        client(
            message -> {
              throw new IllegalStateException("no connection\nWARN");
            });
    for (int position = 1; position <= 100; position++) {
      client.publish(position, 1, MESSAGE);
    }
    while (!handling.isEmpty()) {
      handling.remove(0).run();
    }
    assertThat(outcomes).hasSize(100);
    assertThat(kept.lines())
        .containsExactly(
            "ERROR handler mail: could not handle message "
                + MESSAGE.id()
                + " without a key at position 1 in route mail:"
                + " java.lang.IllegalStateException: no connection\\nWARN");
    assertThat(kept.traces()).hasSize(1);
  }

  /** The relay's log has a line of each failure with the same text, and what follows. */
  @Test
  void failureThatLastsIsWrittenWithItsTraceAlone() {
    BlockingClient client =
        client(
            message -> {
              throw new IllegalStateException("no connection to " + message.topic());
            });
    for (int position = 1; position <= 10; position++) {
      client.publish(position, 1, MESSAGE);
      handling.remove(0).run();
      time.nanos += Duration.ofSeconds(40).toNanos();
    }
    assertThat(kept.lines()).hasSize(1);
    time.nanos += Duration.ofMinutes(2).toNanos();
    client.publish(11, 1, MESSAGE);
    handling.remove(0).run();
    assertThat(kept.lines()).hasSize(2);
    assertThat(kept.traces()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(classes = {OutOfMemoryError.class, StackOverflowError.class, AssertionError.class})
  void errorIsTheHandlersOwnAndConcernsNoOtherMessage(Class<? extends Error> error) {
    BlockingClient client =
        client(
            message -> {
              throw error.getConstructor().newInstance();
            });
    client.publish(1, 1, MESSAGE);
    client.publish(2, 1, MESSAGE);
    handling.get(0).run();
    assertThat(outcomes).containsOnlyKeys(1L);
    assertThat(outcomes.get(1L)).extracting("kind").isEqualTo(Outcome.Rejected.Kind.SUSPECT);
  }

  @Test
  void destinationThatAHandlerCannotReachIsUnavailable() {
    client(
            message -> {
              throw new DestinationUnavailableException("the mail server is away", null);
            })
        .publish(1, 1, MESSAGE);
    handling.get(0).run();
    assertThat(outcomes.get(1L)).isEqualTo(Outcome.unavailable("OUT-022 the mail server is away"));
  }

  @ParameterizedTest
  @EnumSource(
      value = ErrorCode.class,
      names = {"STORE_UNAVAILABLE", "SERVER_IN_RECOVERY", "SCHEMA_MISSING", "CLOSED"})
  void databaseThatServesNobodyIsUnavailable(ErrorCode code) {
    client(
            message -> {
              throw new StoreException(code, "the database takes nothing");
            })
        .publish(1, 1, MESSAGE);
    handling.get(0).run();
    assertThat(outcomes.get(1L)).isInstanceOf(Outcome.Unavailable.class);
  }

  @Test
  void statementThatADatabaseRefusesIsTheHandlersFailure() {
    client(
            message -> {
              throw new StoreException(ErrorCode.STORE_FAILED, "a constraint is violated");
            })
        .publish(1, 1, MESSAGE);
    handling.get(0).run();
    assertThat(outcomes.get(1L)).extracting("kind").isEqualTo(Outcome.Rejected.Kind.SUSPECT);
  }

  @Test
  void messageThatCanNeverBeHandledIsRefused() {
    client(
            message -> {
              throw new InvalidMessageException(ErrorCode.UNREADABLE_PAYLOAD, "appended wrongly");
            })
        .publish(1, 1, MESSAGE);
    handling.get(0).run();
    assertThat(outcomes.get(1L)).extracting("kind").isEqualTo(Outcome.Rejected.Kind.FINAL);
  }

  /** In a roll-out, another instance or the next release can read it. */
  @Test
  void messageThatThisBuildCannotReadIsTriedAgain() {
    client(
            message -> {
              throw new UnreadablePayloadException(ErrorCode.UNREGISTERED_TYPE, "no such version");
            })
        .publish(1, 1, MESSAGE);
    handling.get(0).run();
    assertThat(outcomes.get(1L)).extracting("kind").isEqualTo(Outcome.Rejected.Kind.SUSPECT);
  }

  @Test
  void messageThatIsHandledIsPublished() {
    client(message -> {}).publish(1, 1, MESSAGE);
    handling.get(0).run();
    assertThat(outcomes.get(1L)).isEqualTo(Outcome.PUBLISHED);
  }

  @Test
  void executorThatTakesNoMoreIsUnavailable() {
    BlockingClient full =
        new BlockingClient(
            task -> {
              throw new RejectedExecutionException("planted");
            },
            (position, attempt, message) -> Outcome.PUBLISHED,
            outcomes::put);
    full.publish(1, 1, MESSAGE);
    assertThat(outcomes.get(1L)).isInstanceOf(Outcome.Unavailable.class);
  }

  @Test
  void nothingIsHandledOnceItIsClosed() {
    List<Message> handled = new ArrayList<>();
    BlockingClient client = client(handled::add);
    client.publish(1, 1, MESSAGE);
    client.close();
    assertThat(outcomes.get(1L)).isInstanceOf(Outcome.Unavailable.class);
    outcomes.clear();
    handling.get(0).run();
    client.publish(2, 1, MESSAGE);
    handling.get(1).run();
    assertThat(handled).isEmpty();
    assertThat(outcomes).containsOnlyKeys(2L);
  }
}
