// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.concurrent.atomic.AtomicInteger;
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

  private static Received message(String id) {
    return new Received("shop", id, "orders", "a", "order", 1, new byte[0], Map.of(), null, "", "");
  }

  /** Returns a connection on which something happens before the second message is looked up. */
  private static Connection beforeSecondMessage(Connection connection, Runnable happens) {
    AtomicInteger lookedUp = new AtomicInteger();
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              boolean isLookUp =
                  method.getName().equals("prepareStatement")
                      && String.valueOf(arguments[0]).contains("p.message_id = ?");
              if (isLookUp && lookedUp.incrementAndGet() == 2) {
                happens.run();
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
