// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import io.outledger.servers.Postgres;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Two data sources: that of billing is primary, and the ledger is in that of the orders, at the
 * application's URL. It goes with the property {@link #LEDGER}.
 */
@Configuration(proxyBeanMethods = false)
class TwoDatabases {

  /** Says where the ledger is. */
  static final String LEDGER = "outledger.data-source=orders";

  /** The transaction manager of the ledger's data source. */
  static final String LEDGERS_MANAGER = "ordersTransactionManager";

  @Bean
  @Primary
  DataSource billing() {
    return new DriverManagerDataSource(
        Postgres.shared().jdbcUrl(Postgres.shared().createDatabase()));
  }

  @Bean
  DataSource orders(@Value("${spring.datasource.url}") String url) {
    return new DriverManagerDataSource(url);
  }

  @Bean
  @Primary
  PlatformTransactionManager billingTransactionManager(DataSource billing) {
    return new JdbcTransactionManager(billing);
  }

  @Bean(LEDGERS_MANAGER)
  PlatformTransactionManager ordersTransactionManager(@Qualifier("orders") DataSource orders) {
    return new JdbcTransactionManager(orders);
  }

  @Bean
  JdbcClient jdbcClient(@Qualifier("orders") DataSource orders) {
    return JdbcClient.create(orders);
  }
}
