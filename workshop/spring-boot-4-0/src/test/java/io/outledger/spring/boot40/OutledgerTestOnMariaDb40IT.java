// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot40;

import io.outledger.servers.MariaDb;
import io.outledger.spring.contract.mails.OutledgerTestOnNamedContract;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** A test slice on MariaDB. */
class OutledgerTestOnMariaDb40IT extends OutledgerTestOnNamedContract {

  OutledgerTestOnMariaDb40IT() {
    super("MariaDB");
  }

  @DynamicPropertySource
  static void database(DynamicPropertyRegistry properties) {
    MariaDb server = MariaDb.shared();
    String url = server.jdbcUrl(server.createDatabase());
    properties.add("spring.datasource.url", () -> url);
    properties.add("spring.datasource.username", server::user);
    properties.add("spring.datasource.password", server::password);
    properties.add("spring.flyway.enabled", () -> "false"); // here for PostgreSQL alone
  }
}
