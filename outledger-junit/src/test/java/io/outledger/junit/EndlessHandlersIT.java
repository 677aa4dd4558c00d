// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.jackson.JacksonSerializer;
import io.outledger.junit.Orders.OrderPlaced;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A handler that appends endlessly fails its test, although the stopped clock never runs out. */
final class EndlessHandlersIT {

  @RegisterExtension
  final OutledgerExtension outledger =
      OutledgerExtension.on(EndlessHandlersIT::database)
          .messagesMax(100)
          .configure(b -> b.serializer(JacksonSerializer.create()).events(Orders::register))
          .relay(
              "handlers",
              relay ->
                  relay.handler(
                      "loop",
                      h ->
                          h.on(
                              OrderPlaced.class,
                              (order, context) -> context.outbox().append(order, order))));

  private static DataSource database() {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:endless;DB_CLOSE_DELAY=-1");
    return database;
  }

  @Test
  void aHandlerThatAppendsWithoutEndFailsTheTest() throws Exception {
    outledger.outledger().outbox().inNewTransaction(new OrderPlaced("o-1", 1));

    assertThatThrownBy(outledger::settle)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Handlers append without end");
  }
}
