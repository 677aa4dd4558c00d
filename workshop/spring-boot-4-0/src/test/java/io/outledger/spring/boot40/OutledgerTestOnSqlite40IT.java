// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot40;

import io.outledger.spring.contract.SqliteUrl;
import io.outledger.spring.contract.mails.OutledgerTestOnNamedContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** A test slice on SQLite. */
@DirtiesContext // closed before its file is removed
class OutledgerTestOnSqlite40IT extends OutledgerTestOnNamedContract {

  @TempDir static Path folder;

  OutledgerTestOnSqlite40IT() {
    super("SQLite");
  }

  @DynamicPropertySource
  static void database(DynamicPropertyRegistry properties) {
    properties.add("spring.datasource.url", () -> SqliteUrl.in(folder));
  }
}
