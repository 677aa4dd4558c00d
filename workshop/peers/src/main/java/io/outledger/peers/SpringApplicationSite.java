// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import com.zaxxer.hikari.HikariDataSource;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionTemplate;

/** A Spring Boot application without a web, on a site. */
final class SpringApplicationSite implements AutoCloseable {

  private final HikariDataSource pool;
  private final ConfigurableApplicationContext context;
  private final TransactionTemplate transactions;

  /**
   * Starts it.
   *
   * @param connectionsMax of its pool
   * @param configuration of the application
   * @param properties as they would stand in its file
   */
  SpringApplicationSite(
      Site site, int connectionsMax, Class<?> configuration, Map<String, Object> properties) {
    this.pool = site.pool(connectionsMax);
    this.context =
        new SpringApplicationBuilder(configuration)
            .web(WebApplicationType.NONE)
            .registerShutdownHook(false)
            .properties(Map.of("spring.main.banner-mode", "off", "spring.jmx.enabled", "false"))
            .properties(properties)
            .initializers(
                (GenericApplicationContext beans) -> {
                  beans.registerBean(DataSource.class, () -> pool);
                  beans.registerBean(Site.class, () -> site);
                })
            .run();
    this.transactions = context.getBean(TransactionTemplate.class);
  }

  HikariDataSource pool() {
    return pool;
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  /** What is done with one message in a transaction. */
  interface Sending {
    void send(NumberedMessage message);
  }

  void commit(Business business, List<NumberedMessage> messages, Sending sending) {
    transactions.executeWithoutResult(
        status -> {
          try {
            business.run(DataSourceUtils.getConnection(pool));
          } catch (java.sql.SQLException e) {
            throw new IllegalStateException(e);
          }
          messages.forEach(sending::send);
        });
  }

  @Override
  public void close() {
    context.close();
    pool.close();
  }
}
