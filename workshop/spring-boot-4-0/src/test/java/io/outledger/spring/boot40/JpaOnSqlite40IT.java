// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot40;

import io.outledger.spring.contract.JpaOnNamedContract;
import io.outledger.spring.contract.SqliteUrl;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** The starter with JPA on SQLite, by Hibernate's community dialect. */
class JpaOnSqlite40IT extends JpaOnNamedContract {

  /** Which knows no dialect of SQLite. */
  private static final String SPRING_DATA_JDBC =
      "org.springframework.boot.data.jdbc.autoconfigure.DataJdbcRepositoriesAutoConfiguration";

  @TempDir Path folder;

  @Override
  protected List<String> dataSource() {
    return List.of(
        "spring.datasource.url=" + SqliteUrl.in(folder),
        "spring.autoconfigure.exclude=" + SPRING_DATA_JDBC);
  }
}
