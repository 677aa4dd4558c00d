// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.servers.MariaDb;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The check of views judges those that the schema makes, and no others. */
class ViewsIT {

  private static final String REPORTS =
      """
      SELECT COUNT(*) FROM information_schema.VIEWS v
       WHERE v.TABLE_SCHEMA = {name} AND v.TABLE_NAME LIKE '%report'\
      """;

  @ParameterizedTest
  @EnumSource
  void viewsThatAnOperatorNamedLikeOursReadWhatTheyWant(ChangeFilesIT.On product) {
    try (TestDatabase database = product.open().withTables();
        TestDatabase other = product.open().withTables()) {
      database.execute("CREATE VIEW {schema}.outledger_my_report AS SELECT 1 AS one");
      database.execute(
          "CREATE VIEW {schema}.outledger_their_report AS SELECT m.position FROM "
              + other.tables().in("{schema}.outledger_message m"));
      Schema.of(database.dataSource()).check(database.dataSource());
      Outledger.builder(database.dataSource()).withoutRetention().build().close();
      Schema.of(database.dataSource()).apply(database.dataSource());
      assertThat(database.number(REPORTS)).isEqualTo(2);
    }
  }

  /** Its views name the database in lower case, whoever made them. */
  @Test
  void databaseMayBeWrittenInAnotherCaseWhereItsServerTakesThat() {
    try (MariaDb server = MariaDb.start("--lower-case-table-names=1");
        TestDatabase database = TestDatabase.on(server, Product.MARIADB)) {
      Schema upper =
          Schema.of(database.dataSource(), database.tables().schema().toUpperCase(Locale.ROOT));
      upper.apply(database.dataSource());
      upper.check(database.dataSource());
      Schema.of(database.dataSource()).check(database.dataSource());
    }
  }
}
