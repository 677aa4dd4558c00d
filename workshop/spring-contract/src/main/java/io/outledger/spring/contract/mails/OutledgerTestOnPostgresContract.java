// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.mails;

import io.outledger.servers.Postgres;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** A slice on PostgreSQL. */
public abstract class OutledgerTestOnPostgresContract extends OutledgerTestOnNamedContract {

  /** Creates it. */
  protected OutledgerTestOnPostgresContract() {
    super("PostgreSQL");
  }

  @DynamicPropertySource
  static void database(DynamicPropertyRegistry properties) {
    String url = Postgres.shared().jdbcUrl(Postgres.shared().createDatabase());
    properties.add("spring.datasource.url", () -> url);
  }
}
