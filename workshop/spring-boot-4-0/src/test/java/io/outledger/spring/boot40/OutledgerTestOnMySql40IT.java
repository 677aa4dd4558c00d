// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot40;

import io.outledger.servers.MySql;
import io.outledger.spring.contract.mails.OutledgerTestOnNamedContract;
import org.junit.jupiter.api.Tag;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** A test slice on MySQL; in {@code ./verify} it is tried on MariaDB. */
@Tag("long")
class OutledgerTestOnMySql40IT extends OutledgerTestOnNamedContract {

  OutledgerTestOnMySql40IT() {
    super("MySQL");
  }

  @DynamicPropertySource
  static void database(DynamicPropertyRegistry properties) {
    MySql server = MySql.shared();
    String url = server.jdbcUrl(server.createDatabase());
    properties.add("spring.datasource.url", () -> url);
    properties.add("spring.datasource.username", server::user);
    properties.add("spring.datasource.password", server::password);
    properties.add("spring.flyway.enabled", () -> "false"); // here for PostgreSQL alone
  }
}
