// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.mails;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.Postgres;
import io.outledger.spring.contract.shop.ShopApplication;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;

/** A slice on the database that the test names. */
@ContextConfiguration(classes = ShopApplication.class)
@TestPropertySource(
    properties = {
      "spring.sql.init.schema-locations=classpath:mails.sql",
      "spring.sql.init.mode=always"
    })
public abstract class OutledgerTestOnPostgresContract extends MailsTest {

  @Autowired private DataSource dataSource;

  /** Creates it. */
  protected OutledgerTestOnPostgresContract() {}

  @DynamicPropertySource
  static void database(DynamicPropertyRegistry properties) {
    String url = Postgres.shared().jdbcUrl(Postgres.shared().createDatabase());
    properties.add("spring.datasource.url", () -> url);
  }

  @Test
  void theDatabaseIsTheOneThatTheTestNames() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      assertThat(connection.getMetaData().getDatabaseProductName()).isEqualTo("PostgreSQL");
    }
  }
}
