// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.jdbc.spi.Admission;
import io.outledger.jdbc.spi.ReceivedTable;
import io.outledger.jdbc.spi.ReceivedTable.Look;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedState;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class H2AdmissionIT {

  private static final ParkedFailure RETRYING =
      new ParkedFailure(ParkedState.RETRYING, true, 1, "fails on purpose", Duration.ZERO);

  private final TestH2 database = TestH2.create();
  private final ReceivedTable table = new H2Database(new Tables(Tables.DEFAULT_SCHEMA)).received();

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  /** Else the second message would be processed, and the first one held, in one transaction. */
  @Test
  void retryThatEndsMeanwhileDoesNotPartTheMessagesOfItsKey() throws SQLException {
    try (Connection parking = database.connect()) {
      assertThat(table.park(parking, "stock", List.of(message("1")), RETRYING)).isEqualTo(1);
    }
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      Connection interrupted =
          beforeSecondMessage(
              connection, () -> database.execute("DELETE FROM outledger_inbox_parked"));

      Admission admission =
          table.admit(interrupted, "stock", List.of(message("2"), message("3")), Look.FIRST);

      assertThat(admission.blocked())
          .containsExactlyInAnyOrder(message("2").inboxId(), message("3").inboxId());
      assertThat(admission.proof()).isEmpty();
      connection.rollback();
    }
  }

  /** A batch that comes twice is asked about as a whole, and not message by message. */
  @Test
  void whatIsKnownOfManyIsAskedInAFewStatements() throws SQLException {
    List<InboxId> ids =
        IntStream.range(0, 250).mapToObj(n -> message(String.valueOf(n)).inboxId()).toList();
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      table.park(connection, "stock", List.of(message("7"), message("249")), RETRYING);
      table.admit(connection, "stock", List.of(keyless("5"), keyless("120")), Look.FIRST);
      AtomicInteger statements = new AtomicInteger();
      Connection counted =
          onStatements(
              connection,
              text -> {
                statements.incrementAndGet();
              });
      assertThat(table.known(counted, "stock", Set.copyOf(ids)))
          .containsExactlyInAnyOrder(ids.get(5), ids.get(7), ids.get(120), ids.get(249));
      assertThat(statements).hasValueLessThan(20);
      connection.rollback();
    }
  }

  private static Received keyless(String id) {
    return new Received(
        "shop", id, "orders", null, "order", 1, new byte[0], Map.of(), null, "", "");
  }

  private static Received message(String id) {
    return new Received("shop", id, "orders", "a", "order", 1, new byte[0], Map.of(), null, "", "");
  }

  /** Returns a connection on which something happens before the second message is looked up. */
  private static Connection beforeSecondMessage(Connection connection, Runnable happens) {
    AtomicInteger lookedUp = new AtomicInteger();
    return onStatements(
        connection,
        text -> {
          if (text.contains("p.message_id = ?") && lookedUp.incrementAndGet() == 2) {
            happens.run();
          }
        });
  }

  private static Connection onStatements(Connection connection, Consumer<String> happens) {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("prepareStatement")) {
                happens.accept(String.valueOf(arguments[0]));
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
