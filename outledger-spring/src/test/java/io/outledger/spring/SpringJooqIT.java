// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.servers.Postgres;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** jOOQ, set up as Spring Boot does, and the outbox in one transaction. */
class SpringJooqIT {

  private final PGSimpleDataSource dataSource = new PGSimpleDataSource();
  private final JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
  private final TransactionTemplate transaction = new TransactionTemplate(manager);
  private final SpringTransactions transactions = new SpringTransactions(dataSource);
  private final DSLContext jooq =
      DSL.using(new TransactionAwareDataSourceProxy(dataSource), SQLDialect.POSTGRES);
  private Outledger outledger;
  private SpringOutbox outbox;

  @BeforeEach
  void build() {
    dataSource.setUrl(Postgres.shared().jdbcUrl(Postgres.shared().createDatabase()));
    manager.addListener(transactions);
    Schema.of(dataSource).apply(dataSource);
    jooq.createTable("orders").column("id", SQLDataType.VARCHAR).execute();
    outledger = Outledger.builder(dataSource).build();
    outbox = new SpringOutbox(outledger, transactions);
  }

  @AfterEach
  void close() {
    outledger.close();
  }

  @Test
  void whatJooqWritesIsCommittedWithItsMessageOrNot() {
    transaction.executeWithoutResult(status -> place("o-1"));
    assertThatThrownBy(
            () ->
                transaction.executeWithoutResult(
                    status -> {
                      place("o-2");
                      throw new IllegalStateException("rolled back");
                    }))
        .hasMessage("rolled back");
    assertThat(column("orders", "id")).containsExactly("o-1");
    assertThat(column("outledger_message", "message_key")).containsExactly("o-1");
  }

  private void place(String id) {
    jooq.insertInto(DSL.table("orders"), DSL.field("id")).values(id).execute();
    outbox.append(Message.to("orders", "order.placed").key(id).build());
  }

  private List<String> column(String table, String name) {
    return jooq.select(DSL.field(name, String.class)).from(table).fetch(0, String.class);
  }
}
