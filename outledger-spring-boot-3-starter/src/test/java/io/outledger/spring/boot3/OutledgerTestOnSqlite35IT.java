// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.spring.contract.SqliteUrl;
import io.outledger.spring.contract.mails.OutledgerTestOnNamedContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** A test slice with Boot 3's starter on SQLite. JPA's dialect of it is an artifact of its own. */
@DirtiesContext // closed before its file is removed
class OutledgerTestOnSqlite35IT extends OutledgerTestOnNamedContract {

  private static final String JPA =
      "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration,"
          + "org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration";

  @TempDir static Path folder;

  OutledgerTestOnSqlite35IT() {
    super("SQLite");
  }

  @DynamicPropertySource
  static void database(DynamicPropertyRegistry properties) {
    properties.add("spring.datasource.url", () -> SqliteUrl.in(folder));
    properties.add("spring.autoconfigure.exclude", () -> JPA);
  }
}
