// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot.test;

import io.outledger.jdbc.Outledger;
import io.outledger.junit.TestRelays;
import io.outledger.spring.boot.OutledgerAutoConfiguration;
import io.outledger.spring.boot.ReceiverDefinitions;
import io.outledger.spring.boot.RelayDefinitions;
import io.outledger.testing.SettableClock;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;

/** What a test with {@link AutoConfigureOutledger} has beside the application's own beans. */
@AutoConfiguration(
    before = OutledgerAutoConfiguration.class,
    beforeName = {
      "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
    })
public class OutledgerTestAutoConfiguration {

  /** Creates it. */
  public OutledgerTestAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  SettableClock outledgerTestClock() {
    return new SettableClock();
  }

  @Bean
  @Lazy
  @ConditionalOnMissingBean
  TestRelays outledgerTestRelays(
      Outledger outledger, SettableClock clock, RelayDefinitions definitions) {
    return new TestRelays(outledger, clock, definitions::ofHandlers);
  }

  @Bean
  @Lazy
  @ConditionalOnMissingBean
  TestReceivers outledgerTestReceivers(Outledger outledger, ReceiverDefinitions definitions) {
    return new TestReceivers(outledger, definitions);
  }

  /** H2 in memory, where it is there and the test wants no other. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = {"org.h2.Driver", "io.outledger.h2.H2"})
  @ConditionalOnMissingBean(
      value = DataSource.class,
      type = {
        "org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails",
        "org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails"
      })
  @Conditional(OnTestDatabase.class)
  static class InMemory {

    @Bean
    EmbeddedDatabase outledgerTestDatabase() {
      return new EmbeddedDatabaseBuilder()
          .setType(EmbeddedDatabaseType.H2)
          .generateUniqueName(true)
          .build();
    }
  }
}
