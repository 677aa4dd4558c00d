// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.mails;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.Publisher;
import io.outledger.spring.contract.shop.ShopApplication;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;

/** A slice on H2 in memory, on every line of Boot. */
@ContextConfiguration(classes = ShopApplication.class)
@TestPropertySource(properties = "spring.sql.init.schema-locations=classpath:mails.sql")
public abstract class OutledgerTestContract extends MailsTest {

  @Autowired private ApplicationContext context;

  /** Creates it. */
  protected OutledgerTestContract() {}

  @Test
  void aSliceHasADatabaseInMemoryAndNoRelayInTheBackground() {
    assertThat(context.getBean(DataSource.class)).isInstanceOf(EmbeddedDatabase.class);
    assertThat(context.containsBean("outledgerRelays")).isFalse();
    assertThat(context.getBeansOfType(Publisher.class)).isEmpty();
    assertThat(context.getBeansWithAnnotation(SpringBootApplication.class)).hasSize(1);
  }
}
