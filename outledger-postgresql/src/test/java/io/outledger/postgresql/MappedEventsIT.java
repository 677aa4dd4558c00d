// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.InvalidMessageException;
import io.outledger.event.AppendContext;
import io.outledger.event.PayloadSerializer;
import io.outledger.jdbc.JdbcOutbox;
import io.outledger.jdbc.Outledger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Events that are guarded, enriched through the transaction's connection, and mapped. */
class MappedEventsIT {

  record OrderDeleted(String orderId, String customer) {}

  private static final class Text implements PayloadSerializer {
    @Override
    public String contentType() {
      return "text/plain";
    }

    @Override
    public byte[] write(Object event) {
      return event.toString().getBytes(UTF_8);
    }

    @Override
    public void check(Class<?> type) {}

    @Override
    public <T> T readExactly(byte[] payload, Class<T> type) {
      return read(payload, type);
    }

    @Override
    public <T> T read(byte[] payload, Class<T> type, Consumer<String> unknown) {
      throw new IllegalStateException("nothing is read here");
    }
  }

  private final TestDatabase database = TestDatabase.create();
  private final Outledger outledger =
      Outledger.builder(database.dataSource())
          .serializer(new Text())
          .events(
              e ->
                  e.register(
                      OrderDeleted.class,
                      t ->
                          t.name("order.deleted")
                              .topic("orders")
                              .key(OrderDeleted::customer)
                              .guard(MappedEventsIT::refusal)
                              .enrich(MappedEventsIT::withCustomer)
                              .map((deleted, context) -> List.of(deleted, deleted))))
          .build();

  private static Optional<String> refusal(OrderDeleted deleted, AppendContext context) {
    return deleted.orderId().equals("o-0") ? Optional.of("o-0 stays") : Optional.empty();
  }

  private static OrderDeleted withCustomer(OrderDeleted deleted, AppendContext context)
      throws SQLException {
    Connection connection = context.resource(Connection.class);
    try (PreparedStatement find =
        connection.prepareStatement("SELECT customer FROM deleted_order WHERE id = ?")) {
      find.setString(1, deleted.orderId());
      try (ResultSet row = find.executeQuery()) {
        return new OrderDeleted(deleted.orderId(), row.next() ? row.getString(1) : "nobody");
      }
    }
  }

  @Test
  void anEnrichmentReadsWhatTheTransactionHasWrittenThroughEachOutbox() throws SQLException {
    database.execute("CREATE TABLE deleted_order (id text, customer text)");
    JdbcOutbox outbox = outledger.outbox();
    outledger
        .transactions()
        .run(
            connection -> {
              try (var statement = connection.createStatement()) {
                statement.execute("INSERT INTO deleted_order VALUES ('o-1', 'c-1')");
              }
              OrderDeleted deleted = new OrderDeleted("o-1", "");
              outbox.append(connection, deleted);
              outbox.on(connection).append(deleted);
              outbox.boundTo(outledger.transactions()).append(deleted);
              assertThatThrownBy(() -> outbox.append(connection, new OrderDeleted("o-0", "")))
                  .isInstanceOf(InvalidMessageException.class)
                  .hasMessageStartingWith("OUT-024")
                  .hasMessageEndingWith("o-0 stays");
            });
    assertThat(outbox.inNewTransaction(new OrderDeleted("o-2", ""))).hasSize(2);
    assertThat(database.query("SELECT message_key FROM outledger_message ORDER BY position"))
        .containsExactly("c-1", "c-1", "c-1", "c-1", "c-1", "c-1", "nobody", "nobody");
  }

  @Test
  void anEnrichmentThatFailsIsAFailureOfTheStoreAndNotOfTheEvent() {
    assertThatThrownBy(() -> outledger.outbox().inNewTransaction(new OrderDeleted("o-1", "")))
        .hasMessageStartingWith("OUT-027 the enrichment of")
        .hasCauseInstanceOf(SQLException.class);
    assertThat(database.count("outledger_message")).isZero();
  }
}
