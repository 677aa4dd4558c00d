// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.relay.Relay;
import io.outledger.servers.Postgres;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class OrdersIT {

  private final RecordingPublisher publisher = new RecordingPublisher();
  private final Shop shop = shop();

  private static Shop shop() {
    Postgres server = Postgres.shared();
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setUrl(server.jdbcUrl(server.createDatabase()));
    Shop.createTables(database);
    return new Shop(database);
  }

  @AfterEach
  void close() {
    shop.close();
  }

  @Test
  void anOrderAndItsEventAreCommittedTogether() throws Exception {
    shop.orders().place("o-1", 1990);

    assertThat(shop.orders().ids()).containsExactly("o-1");
    assertThat(publishedKeys()).containsExactly("o-1");
  }

  @Test
  void aTransactionThatFailsLeavesNeither() throws Exception {
    assertThatThrownBy(
            () ->
                shop.database()
                    .transaction(
                        transaction -> {
                          shop.orders().place(transaction, "o-1", 1990);
                          throw new IllegalStateException("no credit");
                        }))
        .hasMessageContaining("no credit");

    assertThat(shop.orders().ids()).isEmpty();
    assertThat(publishedKeys()).isEmpty();
  }

  /** jOOQ runs a nested transaction behind a savepoint. */
  @Test
  void aNestedTransactionThatFailsTakesItsEventAlone() throws Exception {
    shop.database()
        .transaction(
            outer -> {
              shop.orders().place(outer, "o-1", 1990);
              assertThatThrownBy(
                      () ->
                          outer
                              .dsl()
                              .transaction(
                                  inner -> {
                                    shop.orders().place(inner, "o-2", 450);
                                    throw new IllegalStateException("no credit");
                                  }))
                  .hasMessageContaining("no credit");
            });

    assertThat(shop.orders().ids()).containsExactly("o-1");
    assertThat(publishedKeys()).containsExactly("o-1");
  }

  private List<String> publishedKeys() throws InterruptedException {
    try (Relay relay = shop.outledger().relay("test").to(publisher).build()) {
      relay.drain(Duration.ofSeconds(30));
    }
    return publisher.messages().stream().map(Message::key).map(String::valueOf).toList();
  }
}
