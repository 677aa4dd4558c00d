// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import io.outledger.servers.Postgres;
import io.outledger.spring.contract.depot.Crate;
import io.outledger.spring.contract.parcels.Parcel;
import jakarta.persistence.EntityManagerFactory;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;

/** An application with two data sources, each with entities. The outbox is on the first one. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class TwoFactories {

  /** Creates it. */
  public TwoFactories() {}

  @Bean
  @Primary
  DataSource first() {
    return newDatabase();
  }

  @Bean
  DataSource second() {
    return newDatabase();
  }

  @Bean
  @Primary
  LocalContainerEntityManagerFactoryBean firstFactory(DataSource first) {
    return factory("first", first);
  }

  @Bean
  LocalContainerEntityManagerFactoryBean secondFactory(@Qualifier("second") DataSource second) {
    return factory("second", second);
  }

  @Bean
  @Primary
  JpaTransactionManager firstManager(EntityManagerFactory firstFactory) {
    return new JpaTransactionManager(firstFactory);
  }

  @Bean
  JpaTransactionManager secondManager(
      @Qualifier("secondFactory") EntityManagerFactory secondFactory) {
    return new JpaTransactionManager(secondFactory);
  }

  private static LocalContainerEntityManagerFactoryBean factory(String unit, DataSource source) {
    LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
    factory.setPersistenceUnitName(unit);
    factory.setDataSource(source);
    factory.setPackagesToScan(Parcel.class.getPackageName(), Crate.class.getPackageName());
    factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
    factory.setJpaPropertyMap(Map.of("hibernate.hbm2ddl.auto", "create"));
    return factory;
  }

  private static DataSource newDatabase() {
    return new DriverManagerDataSource(
        Postgres.shared().jdbcUrl(Postgres.shared().createDatabase()));
  }
}
