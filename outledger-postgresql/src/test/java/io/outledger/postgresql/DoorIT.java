// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.Outbox;
import io.outledger.OutledgerException;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Admin;
import io.outledger.jdbc.JdbcInbox;
import io.outledger.jdbc.JdbcOutbox;
import io.outledger.jdbc.JdbcTransactions;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.ParkedMessages;
import io.outledger.jdbc.ParkedReceipts;
import io.outledger.jdbc.ReceivedWork;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.jdbc.Retention;
import io.outledger.jdbc.Subscriptions;
import io.outledger.jdbc.TransactionalHandler;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.publish.Publisher;
import io.outledger.relay.handler.MessageHandler;
import io.outledger.relay.options.Accepts;
import io.outledger.servers.Await;
import io.outledger.store.Start;
import io.outledger.testing.RecordingPublisher;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is given at the door is checked there, and nothing passes a door that is closed. */
class DoorIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Message MESSAGE = Message.to("orders", "placed").key("k").build();

  private final StoreDatabase database = StoreDatabase.create();

  static Stream<String> badNames() {
    return Stream.of("", " ", " a", "a\n", "a\u2028b", "\ud800", "n".repeat(101), null);
  }

  @ParameterizedTest
  @MethodSource("badNames")
  @SuppressWarnings("NullAway") // what is not annotated is not to be trusted
  void nameThatIsNoneIsRefusedWhereItIsGiven(String name) {
    MessageHandler handler = message -> {};
    RecordingPublisher publisher = new RecordingPublisher();
    try (Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      refused("subscription", () -> outledger.relay(name));
      refused("subscription", () -> outledger.subscriptions().skip(name, Start.NOW));
      refused("subscription", () -> outledger.subscriptions().delete(name));
      refused("subscription", () -> outledger.parkedMessages(name));
      refused("consumer", () -> outledger.inbox(name));
      refused("route", () -> outledger.relay("r").to(name, Accepts.everything(), publisher));
      refused("handler", () -> outledger.relay("r").handlerWithoutTransaction(name, handler));
    }
    if (name != null) {
      refused("instance", () -> Outledger.builder(database.dataSource()).instance(name).build());
    }
  }

  @Test
  @SuppressWarnings("NullAway") // what is not annotated is not to be trusted
  void whatHasToBeGivenIsNamedWhereItIsNot() {
    try (Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      List<ThrowingCallable> calls =
          List.of(
              () -> Outledger.builder(null),
              () -> Outledger.builder(database.dataSource()).instance(null),
              () -> outledger.outbox().on(null),
              () -> outledger.outbox().boundTo(null),
              () -> outledger.relay("r").to((Publisher) null),
              () -> outledger.relay("r").to("route", null, new RecordingPublisher()),
              () -> outledger.relay("r").to("route", Accepts.everything(), null),
              () -> outledger.relay("r").handlerWithoutTransaction("h", null),
              () -> outledger.relay("r").handler("h", (TransactionalHandler) null),
              () -> outledger.relay("r").handler("h", h -> {}),
              () -> outledger.inbox("i").handler((ReceivedWork) null),
              () -> outledger.relay("r").from(null),
              () -> outledger.relay("r").listener(null),
              () -> outledger.relay("r").handOverMax(null),
              () -> outledger.relay("r").handOverMax(Duration.ofMillis(-1)).build(),
              () -> outledger.subscriptions().move("r", null));
      for (ThrowingCallable call : calls) {
        assertCode(call, ErrorCode.INVALID_CONFIGURATION);
      }
    }
  }

  @Test
  void nothingIsDoneWithAnOutledgerThatWasClosed() throws Exception {
    Outledger outledger = Outledger.builder(database.dataSource()).build();
    RelayBuilder relay = outledger.relay("r").to(new RecordingPublisher());
    Retention retention = outledger.retention();
    Subscriptions subscriptions = outledger.subscriptions();
    Admin admin = outledger.admin();
    ParkedMessages parked = outledger.parkedMessages("r");
    JdbcOutbox outbox = outledger.outbox();
    JdbcInbox inbox = outledger.inbox("consumer");
    BatchHandler handler = inbox.handler((connection, received) -> {});
    Received received = Received.of("source", MESSAGE);
    Outbox bound = outbox.boundTo(outledger.transactions());
    outledger.close();
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      List<ThrowingCallable> calls =
          List.of(
              () -> outbox.append(connection, MESSAGE),
              () -> outbox.inNewTransaction(MESSAGE),
              () -> outbox.on(connection).append(MESSAGE),
              () -> bound.append(MESSAGE),
              () -> outledger.inbox("c"),
              () -> inbox.process(connection, received, () -> {}),
              () -> inbox.processAll(connection, List.of(received), fresh -> {}),
              () -> handler.handle(List.of(received)),
              () -> outledger.relay("r"),
              relay::build,
              relay::start,
              outledger::retention,
              retention::start,
              () -> retention.purgeMessages(Duration.ofDays(1)),
              () -> retention.purgeInbox(Duration.ofDays(100)),
              retention::purgedTo,
              admin::subscriptions,
              () -> admin.parked(ParkedQuery.of(Reader.subscription("r"))),
              () -> subscriptions.skip("r", Start.NOW),
              () -> subscriptions.moveAndProcessAgain("r", Start.EARLIEST),
              () -> subscriptions.delete("r"),
              () -> parked.retry(1, ""),
              () -> parked.discard(1, ""),
              parked::retryAll,
              () -> parked.discard(ParkedSelection.ALL),
              outledger::admin,
              outledger::subscriptions,
              () -> outledger.parkedMessages("r"));
      for (ThrowingCallable call : calls) {
        assertCode(call, ErrorCode.CLOSED);
      }
      connection.rollback();
    }
    outledger.close();
    assertThat(database.number("SELECT count(*) FROM outledger_message")).isZero();
  }

  @Test
  void noTransactionBeginsAndNothingReceivedIsAdministeredOnceItWasClosed() {
    Outledger outledger = Outledger.builder(database.dataSource()).build();
    JdbcTransactions transactions = outledger.transactions();
    JdbcInbox inbox = outledger.inbox("consumer");
    ParkedReceipts receipts = inbox.parked();
    outledger.close();
    List<ThrowingCallable> calls =
        List.of(
            () -> receipts.retry(1),
            () -> receipts.discard(1),
            () -> receipts.retry(ParkedSelection.ALL),
            () -> receipts.discard(ParkedSelection.ALL),
            inbox::parked,
            () -> transactions.run(running -> {}),
            () -> transactions.call(running -> 1),
            outledger::transactions);
    for (ThrowingCallable call : calls) {
      assertCode(call, ErrorCode.CLOSED);
    }
  }

  @Test
  void handlerThatIsFinishingWhileTheDoorIsBeingClosedMayAppend() throws Exception {
    CountDownLatch handling = new CountDownLatch(1);
    CountDownLatch closing = new CountDownLatch(1);
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    Outledger outledger = Outledger.builder(database.dataSource()).build();
    outledger.outbox().inNewTransaction(MESSAGE);
    TransactionalHandler handler =
        (connection, message) -> {
          if (message.topic().equals("later")) {
            return; // what it appended itself, which may still come before all is closed
          }
          handling.countDown();
          closing.await();
          try {
            outledger.outbox().append(connection, Message.to("later", "done").build());
          } catch (RuntimeException e) {
            failures.add(e);
          }
        };
    outledger
        .relay("r")
        .to("nowhere", Accepts.rule("none", message -> false), new RecordingPublisher())
        .handler("h", handler)
        .start();
    handling.await();
    Thread closer = new Thread(outledger::close);
    closer.start();
    Await.until(
        "it is being closed",
        PATIENCE,
        () -> {
          try {
            outledger.relay("s").to(new RecordingPublisher()).start();
            return false;
          } catch (OutledgerException e) {
            return e.code() == ErrorCode.CLOSED;
          }
        });
    closing.countDown();
    closer.join();
    assertThat(failures).isEmpty();
    assertThat(database.number("SELECT count(*) FROM outledger_message")).isEqualTo(2);
  }

  private static void refused(String what, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            OutledgerException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.INVALID_NAME);
              assertThat(e).hasMessageContaining("name of the " + what);
            });
  }

  private static void assertCode(ThrowingCallable call, ErrorCode code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            OutledgerException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
