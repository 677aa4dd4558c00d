// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

final class InboxRecordIT {

  /** A failing handler of a consumer with a million records would read all of them each time. */
  @Test
  void rollBackOfAHandlerLooksAtItsOwnRecordsAlone() throws SQLException {
    String forget = new Tables(Tables.DEFAULT_SCHEMA).in(InboxRecord.FORGET);
    try (TestH2 database = TestH2.create();
        Connection connection = database.connect();
        PreparedStatement explain = connection.prepareStatement("EXPLAIN " + forget)) {
      for (int i = 1; i <= explain.getParameterMetaData().getParameterCount(); i++) {
        explain.setObject(i, null);
      }
      try (ResultSet plan = explain.executeQuery()) {
        assertThat(plan.next()).isTrue();
        assertThat(plan.getString(1).replaceAll("\\s+", " "))
            .containsPattern("/\\* PUBLIC.PRIMARY_KEY.*MESSAGE_HASH.*\\*/");
      }
    }
  }
}
