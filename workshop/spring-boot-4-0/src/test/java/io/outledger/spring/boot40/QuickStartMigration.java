// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot40;

import org.flywaydb.core.Flyway;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** That of docs/spring.md, for a database that began with the quick start. */
@Configuration(proxyBeanMethods = false)
class QuickStartMigration {

  @Bean
  FlywayMigrationStrategy applicationFirst(Environment environment) {
    return flyway -> {
      flyway.migrate();
      Flyway.configure()
          .dataSource(flyway.getConfiguration().getDataSource())
          .locations("classpath:io/outledger/postgresql/flyway")
          .table("outledger_history")
          .defaultSchema(environment.getProperty("outledger.schema"))
          .baselineOnMigrate(true)
          .baselineVersion("1")
          .load()
          .migrate();
    };
  }
}
