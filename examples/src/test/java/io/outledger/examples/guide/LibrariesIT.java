// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** The SQL of the guides for libraries whose rows are not copied. */
class LibrariesIT {

  private static final String WHAT_IS_LEFT = "What is left";

  @Test
  void gruelboxsCallsAreCountedUntilNoneWaits() throws Exception {
    try (MovingDatabase database = new MovingDatabase("gruelbox.sql")) {
      String left = DocumentedSql.of("moving/gruelbox.md").block(WHAT_IS_LEFT);

      assertThat(database.column(left)).containsExactly("2");
      assertThat(database.column(left.replaceFirst("SELECT .* waiting,", "SELECT")))
          .containsExactly("1");
    }
  }

  @Test
  void namastacksFailedRecordsAreTriedAgain() throws Exception {
    DocumentedSql page = DocumentedSql.of("moving/namastack.md");
    try (MovingDatabase database = new MovingDatabase("namastack.sql")) {
      assertThat(database.column(page.block(WHAT_IS_LEFT))).containsExactly("2");

      database.execute(page.block("Try failed records again"));

      assertThat(database.column(page.block(WHAT_IS_LEFT))).containsExactly("3");
    }
  }

  @Test
  void springModulithsOpenPublicationsAreListed() throws SQLException {
    DocumentedSql page = DocumentedSql.of("moving/spring-modulith.md");
    try (MovingDatabase database = new MovingDatabase("spring-modulith.sql")) {
      assertThat(database.column(page.block(WHAT_IS_LEFT))).containsExactly("Mails.on");
    }
  }
}
