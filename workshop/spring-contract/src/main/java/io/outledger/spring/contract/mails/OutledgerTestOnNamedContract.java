// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.mails;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.spring.contract.shop.ShopApplication;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;

/** A slice on the database that the test names, by the property of its URL. */
@ContextConfiguration(classes = ShopApplication.class)
@TestPropertySource(
    properties = {
      "spring.sql.init.schema-locations=classpath:mails.sql",
      "spring.sql.init.mode=always"
    })
public abstract class OutledgerTestOnNamedContract extends MailsTest {

  @Autowired private DataSource dataSource;

  private final String product;

  /**
   * Creates it.
   *
   * @param product the name of the database's product, as its driver tells it
   */
  protected OutledgerTestOnNamedContract(String product) {
    this.product = product;
  }

  @Test
  void theDatabaseIsTheOneThatTheTestNames() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      assertThat(connection.getMetaData().getDatabaseProductName()).isEqualTo(product);
    }
  }
}
