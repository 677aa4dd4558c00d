// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an append asks of the server: a driver waits for the answer of each statement. */
class StatementsOfAnAppendIT {

  /** Up to as many as a statement takes. */
  private static final int[] COUNTS = {1, 1, 1, 10, 1_000, 1};

  @ParameterizedTest
  @EnumSource
  void anyNumberOfMessagesIsOneStatement(ChangeFilesIT.On server) throws SQLException {
    try (TestDatabase database = server.open().withTables();
        Outledger outledger = Outledger.builder(database.dataSource()).withoutRetention().build();
        Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      append(outledger, connection, 1); // the first one here also looks who reads
      for (int count : COUNTS) {
        long before = asked(database, connection);
        append(outledger, connection, count);
        assertThat(asked(database, connection) - before - 1) // without the question itself
            .as("statements for %d messages", count)
            .isEqualTo(1);
      }
      connection.commit();
    }
  }

  private static void append(Outledger outledger, Connection connection, int count) {
    outledger
        .outbox()
        .append(
            connection,
            IntStream.range(0, count)
                .mapToObj(i -> Message.to("orders", "placed").key("k" + i).build())
                .toList());
  }

  private static long asked(TestDatabase database, Connection connection) throws SQLException {
    return Sql.in(database.tables(), connection, "SHOW SESSION STATUS LIKE 'Questions'")
        .first(row -> row.getLong(2))
        .orElseThrow();
  }
}
