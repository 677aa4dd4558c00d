// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.frontier.Positions;
import io.outledger.servers.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a look at the gate, at locked rows, and at the server tells. */
final class GateLookIT {

  private static final Pattern SINCE = Pattern.compile("up since (\\d+)");

  /** A writer takes the slot of its second: who has that one, or the next, would be waited for. */
  @ParameterizedTest
  @EnumSource
  void slotsOfThisSecondAndTheNextAreLeftToWriters(ChangeFilesIT.On product) throws SQLException {
    try (TestDatabase database = product.open().withTables();
        Connection connection = database.connect()) {
      GateLook look = new GateLook(database.tables());
      int[] seen = new int[1];
      long[] second = new long[1];
      Await.until(
          () -> "a look within one second",
          Duration.ofSeconds(30),
          () -> {
            second[0] = database.number("SELECT UNIX_TIMESTAMP()");
            seen[0] = free(look, connection);
            return database.number("SELECT UNIX_TIMESTAMP()") == second[0];
          });
      int left = 1 << (second[0] % 16) | 1 << ((second[0] + 1) % 16);
      assertThat(seen[0]).isEqualTo(((1 << 16) - 1) & ~left);
    }
  }

  private static int free(GateLook look, Connection connection) {
    try {
      return look.free(connection);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void lockedRowAtTheEndOfALongHoleIsFound(ChangeFilesIT.On product) throws SQLException {
    assertFinds(product, 150, Positions.range(1, 150));
  }

  @ParameterizedTest
  @EnumSource
  void lockedRowBehindThousandsOfHolesIsFound(ChangeFilesIT.On product) throws SQLException {
    long[] odd = LongStream.range(0, 6_001).map(i -> 2 * i + 1).toArray();
    assertFinds(product, 12_001, Positions.of(odd));
  }

  private static void assertFinds(ChangeFilesIT.On product, long position, Positions holes)
      throws SQLException {
    try (TestDatabase database = product.open().withTables();
        Connection looking = database.connect();
        Connection writing = database.connect()) {
      database.execute("ALTER TABLE {schema}.outledger_message AUTO_INCREMENT = " + position);
      GateLook look = new GateLook(database.tables());
      assertThat(look.isAnyLocked(looking, holes)).isFalse();
      writing.setAutoCommit(false);
      new AppendStatement(database.tables())
          .append(writing, List.of(Message.to("orders", "placed").build()));
      assertThat(look.isAnyLocked(looking, holes)).isTrue();
      writing.rollback();
      assertThat(look.isAnyLocked(looking, holes)).isFalse();
    }
  }

  /** Numbers may be given out again after a restart, which nothing else shows. */
  @ParameterizedTest
  @EnumSource
  void serverIsKnownByWhenItWasStarted(ChangeFilesIT.On product) throws SQLException {
    try (TestDatabase database = product.open().withTables()) {
      String uptime = "SELECT " + database.tables().product().uptime();
      Await.until(
          () -> "it has run for a while",
          Duration.ofSeconds(30),
          () -> database.number(uptime) > 3);
      long since = database.number("SELECT UNIX_TIMESTAMP()") - database.number(uptime);
      try (Session session = Session.open(database.dataSource(), database.tables())) {
        Matcher told = SINCE.matcher(session.server().server());
        assertThat(told.find()).isTrue();
        assertThat(Long.parseLong(told.group(1))).isBetween(since - 1, since + 1);
      }
    }
  }
}
