// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.servers.Postgres;
import io.outledger.spring.contract.RunningShop;
import io.outledger.spring.contract.parcels.Parcel;
import java.util.List;
import java.util.Properties;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.orm.jpa.hibernate.HibernateTransactionManager;
import org.springframework.orm.jpa.hibernate.LocalSessionFactoryBean;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Savepoints under Hibernate's own transaction manager, which can be told to have them. */
class NestedOnHibernate41IT {

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class OnHibernate {

    @Bean
    DataSource dataSource() {
      return new DriverManagerDataSource(
          Postgres.shared().jdbcUrl(Postgres.shared().createDatabase()));
    }

    @Bean
    LocalSessionFactoryBean entityManagerFactory(DataSource dataSource) {
      LocalSessionFactoryBean made = new LocalSessionFactoryBean();
      made.setDataSource(dataSource);
      made.setPackagesToScan(Parcel.class.getPackageName());
      Properties properties = new Properties();
      properties.setProperty("hibernate.hbm2ddl.auto", "create");
      made.setHibernateProperties(properties);
      return made;
    }

    @Bean
    HibernateTransactionManager transactionManager(SessionFactory factory) {
      HibernateTransactionManager made = new HibernateTransactionManager(factory);
      made.setNestedTransactionAllowed(true);
      return made;
    }
  }

  @Test
  void whatWasRolledBackToASavepointIsNoMessage() {
    try (RunningShop shop =
        RunningShop.of(
            List.of(OnHibernate.class),
            "spring.data.jpa.repositories.enabled=false",
            "outledger.events.packages=" + Parcel.class.getPackageName(),
            "outledger.schema-initialization=always",
            "outledger.relay.enabled=false")) {
      SessionFactory factory = shop.bean(SessionFactory.class);
      in(
          shop,
          TransactionDefinition.PROPAGATION_REQUIRED,
          () -> {
            factory.getCurrentSession().persist(new Parcel("p-1"));
            factory.getCurrentSession().flush();
            assertThatThrownBy(
                    () ->
                        in(
                            shop,
                            TransactionDefinition.PROPAGATION_NESTED,
                            () -> {
                              factory.getCurrentSession().persist(new Parcel("p-2"));
                              factory.getCurrentSession().flush();
                              throw new IllegalStateException("the step fails");
                            }))
                .hasMessage("the step fails");
          });
      assertThat(texts(shop, "SELECT message_key FROM outledger_message ORDER BY message_key"))
          .isEqualTo(texts(shop, "SELECT id FROM parcel ORDER BY id"));
    }
  }

  private static void in(RunningShop shop, int propagation, Runnable work) {
    new TransactionTemplate(
            shop.bean(PlatformTransactionManager.class),
            new DefaultTransactionDefinition(propagation))
        .executeWithoutResult(status -> work.run());
  }

  private static List<String> texts(RunningShop shop, String sql) {
    return shop.bean(JdbcClient.class).sql(sql).query(String.class).list();
  }
}
