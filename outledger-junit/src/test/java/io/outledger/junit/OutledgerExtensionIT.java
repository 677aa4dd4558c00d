// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Delivery;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.junit.Orders.OrderPlaced;
import io.outledger.servers.Postgres;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

/** All tests share a database, and each sees its own messages alone. */
class OutledgerExtensionIT {

  private static final DataSource DATABASE = database();

  private final List<String> mails = new CopyOnWriteArrayList<>();
  private final AtomicInteger failures = new AtomicInteger();

  @RegisterExtension
  final OutledgerExtension outledger =
      OutledgerExtension.on(() -> DATABASE)
          .configure(b -> b.serializer(JacksonSerializer.create()).events(Orders::register))
          .relay(
              "handlers",
              relay ->
                  relay.handler(
                      "mail", h -> h.on(OrderPlaced.class, (order, context) -> mail(order))));

  private static DataSource database() {
    Postgres server = Postgres.shared();
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setUrl(server.jdbcUrl(server.createDatabase()));
    return database;
  }

  private void mail(OrderPlaced order) {
    if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new IllegalStateException("the mail server is on fire");
    }
    mails.add(order.orderId());
  }

  @RepeatedTest(2)
  void whatIsCommittedIsPublishedAndHandled() throws Exception {
    outledger
        .when(() -> outledger.outledger().outbox().inNewTransaction(new OrderPlaced("o-1", 1)))
        .untilPublished(OrderPlaced.class, order -> order.orderId().equals("o-1"))
        .until("a mail is sent", () -> mails.equals(List.of("o-1")));

    outledger.assertThatPublished().hasPublishedExactly(OrderPlaced.class);
  }

  @Test
  void aFailedHandlerIsTriedAgainWithoutWaiting() throws Exception {
    failures.set(2);
    outledger
        .when(() -> outledger.outledger().outbox().inNewTransaction(new OrderPlaced("o-2", 1)))
        .until("a mail is sent", () -> mails.contains("o-2"));

    assertThat(failures).hasValue(0);
  }

  @Test
  void untilPublishedWaitsOutAnOutage() throws Exception {
    outledger.publisher().failNext(3);
    outledger
        .when(() -> outledger.outledger().outbox().inNewTransaction(new OrderPlaced("o-3", 1)))
        .untilPublished(OrderPlaced.class);

    outledger.assertThatPublished().hasPublishedExactly(OrderPlaced.class);
  }

  /** Twice: the second finds what the first has left, and cancels it. */
  @RepeatedTest(2)
  void whatIsScheduledIsDeliveredWithoutWaiting() throws Exception {
    outledger
        .when(() -> schedule(new OrderPlaced("later", 1), Delivery.after(Duration.ofDays(7))))
        .until("a mail is sent", () -> mails.contains("later"));

    assertThat(mails).containsExactly("later");
    schedule(new OrderPlaced("left", 1), Delivery.after(Duration.ofDays(7)));
  }

  @Test
  void whatIsDueIsDeliveredAtOnceAndTheRestWhenItsTimeComes() {
    schedule(new OrderPlaced("reminder", 1), Delivery.after(Duration.ofDays(7)));
    schedule(new OrderPlaced("past", 1), Delivery.at(Instant.EPOCH));
    outledger.settle();
    assertThat(mails).containsExactly("past");
    assertThat(outledger.deliverNextScheduled()).isTrue();
    assertThat(mails).containsExactly("past", "reminder");
    assertThat(outledger.deliverNextScheduled()).isFalse();
  }

  private void schedule(OrderPlaced order, Delivery when) {
    outledger.outledger().outbox().inNewTransaction(order, when);
  }
}
