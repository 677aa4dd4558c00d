// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.contracts.CarriedFixture;
import io.outledger.inbox.Received;
import io.outledger.jdbc.JdbcPublisher;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.TransactionalHandler;
import io.outledger.publish.Outcome;
import io.outledger.publish.PublisherClient;
import io.outledger.relay.Relay;
import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import io.outledger.servers.TcpProxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An effect once across two databases, whatever happens between them. */
class TwoDatabasesIT {

  private static final Duration LONG = Duration.ofSeconds(30);

  private final TestDatabase orders = TestDatabase.create();
  private final TestDatabase billing = TestDatabase.create();
  private final TcpProxy line = TcpProxy.before(Postgres.shared().port());
  private final Outledger here = Outledger.builder(orders.dataSource()).build();
  private final Outledger there = Outledger.builder(billing.dataSource(line.port())).build();
  private final BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();

  TwoDatabasesIT() {
    billing.execute(CarriedFixture.TABLE);
  }

  @AfterEach
  void close() {
    here.close();
    there.close();
    line.close();
  }

  private JdbcPublisher into(TransactionalHandler handler) {
    return JdbcPublisher.into(there.inbox("billing"), "orders", handler);
  }

  private PublisherClient open(TransactionalHandler handler) {
    return open(handler, LONG);
  }

  private PublisherClient open(TransactionalHandler handler, Duration deliveryTimeMax) {
    return into(handler).open(deliveryTimeMax, (position, outcome) -> outcomes.add(outcome));
  }

  private Outcome outcome() throws InterruptedException {
    Outcome outcome = outcomes.poll(30, TimeUnit.SECONDS);
    assertThat(outcome).isNotNull();
    return outcome;
  }

  private Outcome outcome(TransactionalHandler handler) throws InterruptedException {
    try (PublisherClient client = open(handler)) {
      client.publish(1, 1, Message.to("orders", "order.placed").build());
      return outcome();
    }
  }

  @Test
  void messagesAreCarriedInOrderAndOnceEvenIfTheyAreReadTwice() throws Exception {
    for (int i = 0; i < 50; i++) {
      Message message = Message.to("orders", "order." + i).key("key-" + i % 5).build();
      here.transactions().run(connection -> here.outbox().append(connection, message));
    }
    for (String subscription : new String[] {"to-billing", "to-billing-again"}) {
      try (Relay relay = here.relay(subscription).to(into(CarriedFixture::insert)).build()) {
        assertThat(relay.drain(LONG).published()).isEqualTo(50);
      }
    }
    assertThat(CarriedFixture.carried(billing.dataSource())).hasSize(50);
    assertThat(CarriedFixture.carried(billing.dataSource()))
        .filteredOn(received -> "key-3".equals(received.key()))
        .extracting(Received::type)
        .containsExactlyElementsOf(
            IntStream.range(0, 10).mapToObj(i -> "order." + (3 + 5 * i)).toList());
  }

  @Test
  void effectHappensOnceIfTheReplyToTheCommitIsLost() throws Exception {
    Message message = Message.to("orders", "order.placed").key("o-1").build();
    PublisherClient client =
        open(
            (connection, given) -> {
              CarriedFixture.insert(connection, given);
              line.swallowReplies();
            });
    client.publish(1, 1, message);
    Await.until("the other database has committed", LONG, () -> billing.count("carried") == 1);
    client.close();
    assertThat(outcome()).isInstanceOf(Outcome.Unavailable.class);
    line.cut();
    line.pass();
    try (PublisherClient next = open(CarriedFixture::insert)) {
      next.publish(1, 1, message);
      assertThat(outcome()).isEqualTo(Outcome.PUBLISHED);
    }
    assertThat(billing.count("carried")).isEqualTo(1);
    assertThat(billing.count("outledger_inbox")).isEqualTo(1);
  }

  @Test
  void handlerThatOutlastsTheLimitOfAnAnswerEachTimeIsAtFault() throws Exception {
    Message message = Message.to("orders", "order.placed").key("o-1").build();
    TransactionalHandler waiting =
        (connection, given) -> {
          try (Statement work = connection.createStatement()) {
            work.execute("SELECT pg_advisory_xact_lock(1)");
          }
        };
    JdbcPublisher publisher = into(waiting);
    try (Connection other = billing.dataSource().getConnection();
        Statement lock = other.createStatement();
        PublisherClient client =
            publisher.open(Duration.ofSeconds(1), (position, outcome) -> outcomes.add(outcome))) {
      lock.execute("SELECT pg_advisory_lock(1)");
      for (int attempt = 0; attempt < 4; attempt++) {
        client.publish(1, 1, message);
        assertThat(outcome()).isInstanceOf(Outcome.Unavailable.class);
      }
      client.publish(1, 1, message);
      assertThat(outcome()).isInstanceOf(Outcome.Rejected.class);
    }
  }

  @Test
  void lineThatFallsSilentIsAnOutageAndHoldsNobodyForever() throws Exception {
    Message message = Message.to("orders", "order.placed").key("o-1").build();
    TransactionalHandler silencing =
        (connection, given) -> {
          CarriedFixture.insert(connection, given);
          line.swallowReplies();
        };
    try (PublisherClient client = open(silencing, Duration.ofSeconds(2))) {
      client.publish(1, 1, message);
      assertThat(outcome()).isInstanceOf(Outcome.Unavailable.class);
    }
    line.pass();
    try (PublisherClient next = open(CarriedFixture::insert)) {
      next.publish(1, 1, message);
      assertThat(outcome()).isEqualTo(Outcome.PUBLISHED);
    }
    assertThat(billing.count("carried")).isEqualTo(1);
  }

  @Test
  void whatIsRunningWhenTheClientIsClosedIsRolledBack() throws Exception {
    CountDownLatch works = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    Message message = Message.to("orders", "order.placed").build();
    PublisherClient client =
        open(
            (connection, given) -> {
              CarriedFixture.insert(connection, given);
              works.countDown();
              awaitWhateverInterrupts(mayEnd);
            });
    client.publish(1, 1, message);
    works.await();
    client.close();
    assertThat(outcome()).isInstanceOf(Outcome.Unavailable.class);
    mayEnd.countDown();
    String open =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            + " AND state LIKE 'idle in transaction%'";
    Await.until("its transaction has ended", LONG, () -> billing.query(open).contains("0"));
    assertThat(billing.count("carried")).isZero();
    try (PublisherClient next = open(CarriedFixture::insert)) {
      next.publish(1, 1, message);
      assertThat(outcome()).isEqualTo(Outcome.PUBLISHED);
    }
    assertThat(billing.count("carried")).isEqualTo(1);
  }

  @Test
  void handlerThatFailsWhileItsClientIsClosedIsNotAtFault() throws Exception {
    Message message = Message.to("orders", "order.placed").key("o-1").build();
    BlockingQueue<Thread> working = new LinkedBlockingQueue<>();
    BlockingQueue<Thread> failing = new LinkedBlockingQueue<>();
    Semaphore mayFail = new Semaphore(0);
    JdbcPublisher publisher =
        into(
            (connection, given) -> {
              working.add(Thread.currentThread());
              mayFail.acquireUninterruptibly();
              failing.add(Thread.currentThread());
              try (Statement work = connection.createStatement()) {
                work.execute("SELECT pg_terminate_backend(pg_backend_pid())");
              }
            });
    for (int closing = 0; closing < 4; closing++) {
      PublisherClient client =
          publisher.open(LONG, (position, closed) -> awaitFailure(mayFail, failing));
      client.publish(1, 1, message);
      working.take();
      client.close();
    }
    mayFail.release();
    try (PublisherClient next =
        publisher.open(LONG, (position, outcome) -> outcomes.add(outcome))) {
      next.publish(1, 1, message);
      assertThat(outcome()).isInstanceOf(Outcome.Unavailable.class);
    }
  }

  /** Returns when the thread has come to the outcome, which this thread has begun to tell. */
  private static void awaitFailure(Semaphore mayFail, BlockingQueue<Thread> failing) {
    mayFail.release();
    Await.until("the handler fails", LONG, () -> !failing.isEmpty());
    Thread worker = failing.remove();
    Await.until("it has failed", LONG, () -> worker.getState() == Thread.State.BLOCKED);
  }

  private static void awaitWhateverInterrupts(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        // A handler that takes no notice: what it has done must be undone all the same.
      }
    }
  }

  @Test
  void whatTheOtherDatabaseSaysDecidesWhoIsToBlame() throws Exception {
    billing.execute("CREATE TABLE seen (id INT PRIMARY KEY)");
    billing.execute("INSERT INTO seen VALUES (1)");
    assertThat(kind(outcome(executing("INSERT INTO seen VALUES (1)"))))
        .isEqualTo(Outcome.Rejected.Kind.DEFINITE);
    assertThat(kind(outcome(executing("SELECT 1/0")))).isEqualTo(Outcome.Rejected.Kind.DEFINITE);
    assertThat(kind(outcome(executing("INSERT INTO missing VALUES (1)"))))
        .isEqualTo(Outcome.Rejected.Kind.SUSPECT);
    assertThat(kind(outcome(throwing(new IllegalStateException("a bug")))))
        .isEqualTo(Outcome.Rejected.Kind.SUSPECT);
    assertThat(
            kind(
                outcome(
                    throwing(new InvalidMessageException(ErrorCode.INVALID_MESSAGE, "nonsense")))))
        .isEqualTo(Outcome.Rejected.Kind.FINAL);
    assertThat(outcome(executing("SELECT pg_terminate_backend(pg_backend_pid())")))
        .isInstanceOf(Outcome.Unavailable.class);
    assertThat(outcome(throwing(new IllegalStateException(new SQLException("standby", "25006")))))
        .isInstanceOf(Outcome.Unavailable.class);
    assertThat(billing.count("outledger_inbox")).isZero();
  }

  @Test
  void databaseWithoutTablesIsNoMessagesFault() throws Exception {
    billing.execute("DROP TABLE outledger_inbox CASCADE");
    assertThat(outcome(CarriedFixture::insert)).isInstanceOf(Outcome.Unavailable.class);
  }

  private static TransactionalHandler executing(String sql) {
    return (connection, message) -> {
      try (var statement = connection.createStatement()) {
        statement.execute(sql);
      }
    };
  }

  private static TransactionalHandler throwing(Exception failure) {
    return (connection, message) -> {
      throw failure;
    };
  }

  private static Outcome.Rejected.Kind kind(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Rejected.class);
    return ((Outcome.Rejected) outcome).kind();
  }
}
