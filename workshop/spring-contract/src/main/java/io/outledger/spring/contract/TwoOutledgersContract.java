// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Outbox;
import io.outledger.event.EventTypes;
import io.outledger.event.PayloadSerializer;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.servers.Await;
import io.outledger.spring.SpringOutbox;
import io.outledger.spring.SpringTransactions;
import io.outledger.spring.boot.EventTypesCustomizer;
import io.outledger.spring.contract.shop.OrderPlaced;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Two data sources, and an outbox in each: the primary one's relays are the starter's. */
public abstract class TwoOutledgersContract {

  private static final Duration SOON = Duration.ofSeconds(20);

  /** Creates it. */
  protected TwoOutledgersContract() {}

  /** One database. */
  private static DataSource database() {
    DataSource dataSource =
        new EmbeddedDatabaseBuilder()
            .setType(EmbeddedDatabaseType.H2)
            .generateUniqueName(true)
            .build();
    Schema.of(dataSource).apply(dataSource);
    return dataSource;
  }

  private static Outledger outledger(
      DataSource dataSource,
      PayloadSerializer serializer,
      ObjectProvider<EventTypesCustomizer> types) {
    return Outledger.builder(dataSource)
        .serializer(serializer)
        .events((EventTypes.Builder all) -> types.forEach(each -> each.customize(all)))
        .build();
  }

  /** Everything of the orders' database, which is primary. */
  @Configuration(proxyBeanMethods = false)
  static class Orders {

    @Bean
    @Primary
    DataSource ordersDataSource() {
      return database();
    }

    @Bean
    @Primary
    PlatformTransactionManager ordersTransactionManager(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }

    @Bean
    @Primary
    SpringTransactions ordersTransactions(DataSource dataSource) {
      return new SpringTransactions(dataSource);
    }

    @Bean
    @Primary
    Outledger ordersOutledger(
        DataSource dataSource,
        PayloadSerializer serializer,
        ObjectProvider<EventTypesCustomizer> types) {
      return outledger(dataSource, serializer, types);
    }

    @Bean
    @Primary
    SpringOutbox ordersOutbox(Outledger outledger, SpringTransactions transactions) {
      return new SpringOutbox(outledger, transactions);
    }
  }

  /** Everything of the bills' database. */
  @Configuration(proxyBeanMethods = false)
  static class Bills {

    @Bean
    DataSource billsDataSource() {
      return database();
    }

    @Bean
    PlatformTransactionManager billsTransactionManager(
        @Qualifier("billsDataSource") DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }

    @Bean
    SpringTransactions billsTransactions(@Qualifier("billsDataSource") DataSource dataSource) {
      return new SpringTransactions(dataSource);
    }

    @Bean
    Outledger billsOutledger(
        @Qualifier("billsDataSource") DataSource dataSource,
        PayloadSerializer serializer,
        ObjectProvider<EventTypesCustomizer> types) {
      return outledger(dataSource, serializer, types);
    }

    @Bean
    SpringOutbox billsOutbox(
        @Qualifier("billsOutledger") Outledger outledger,
        @Qualifier("billsTransactions") SpringTransactions transactions) {
      return new SpringOutbox(outledger, transactions);
    }
  }

  @Test
  void eachOutboxAppendsInTheTransactionsOfItsDataSourceAlone() {
    try (RunningShop shop =
        RunningShop.start(List.of(RecordingConfiguration.class, Orders.class, Bills.class))) {
      Outbox orders = shop.bean(Outbox.class);
      Outbox bills = shop.context().getBean("billsOutbox", Outbox.class);
      in(shop, "orders", () -> orders.append(new OrderPlaced("o-1", 1)));
      in(shop, "bills", () -> bills.append(new OrderPlaced("b-1", 1)));
      assertThatThrownBy(() -> in(shop, "orders", () -> bills.append(new OrderPlaced("b-2", 1))))
          .hasMessageContaining("OUT-001")
          .hasMessageContaining("name the manager");
      assertThatThrownBy(() -> in(shop, "bills", () -> orders.append(new OrderPlaced("o-2", 1))))
          .hasMessageContaining("OUT-001");
      assertThat(keys(shop, "orders")).containsExactly("o-1");
      assertThat(keys(shop, "bills")).containsExactly("b-1");
      RecordingPublisher publisher = shop.bean(RecordingPublisher.class);
      Await.until("o-1 is published", SOON, () -> publisher.arrivals().size() == 1);
      assertThat(publisher.arrivals().get(0).message().key()).isEqualTo("o-1");
    }
  }

  private static void in(RunningShop shop, String name, Runnable work) {
    new TransactionTemplate(
            shop.context().getBean(name + "TransactionManager", PlatformTransactionManager.class))
        .executeWithoutResult(status -> work.run());
  }

  private static List<String> keys(RunningShop shop, String name) {
    DataSource dataSource = shop.context().getBean(name + "DataSource", DataSource.class);
    return new JdbcTemplate(dataSource)
        .queryForList("SELECT message_key FROM outledger_message", String.class);
  }
}
