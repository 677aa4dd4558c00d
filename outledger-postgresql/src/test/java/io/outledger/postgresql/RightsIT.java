// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the document grants is enough for each role, not more than it needs, and no more. */
class RightsIT {

  private static final String NO_RIGHT = "42501";
  private static final List<String> FOR_NOBODY =
      List.of(
          "TRUNCATE outledger_message",
          "ALTER TABLE outledger_message DISABLE TRIGGER ALL",
          "SELECT setval('outledger_message_position', 1)",
          "ALTER SEQUENCE outledger_message_position RESTART",
          "INSERT INTO outledger_message (position, time, id, version, topic, type, payload)"
              + " VALUES (1, now(), gen_random_uuid(), 1, 't', 't', '')",
          "UPDATE outledger_cursor SET high = 0",
          "INSERT INTO outledger_schema (version) VALUES (9)",
          "CREATE TABLE mine ()");
  private static final String ERASE = "UPDATE outledger_message SET payload = ''";
  private static final String DELETE_MESSAGE = "DELETE FROM outledger_message";
  private static final String DELETE_INBOX = "DELETE FROM outledger_inbox";
  private static final String INSERT_CURSOR =
      "INSERT INTO outledger_cursor (subscription, n, incarnation, lease_millis, high)"
          + " VALUES ('s', 1, gen_random_uuid(), 1000, 1)";
  private static final String INSERT_MESSAGE =
      "INSERT INTO outledger_message (time, id, version, topic, type, payload)"
          + " VALUES (now(), gen_random_uuid(), 1, 't', 't', '')";
  private static final String SCHEDULED_PAYLOAD = "SELECT payload FROM outledger_scheduled";
  private static final String MAKE_DUE = "UPDATE outledger_scheduled SET due_at = now()";
  private static final String PARKED = "SELECT payload FROM outledger_parked";
  private static final String PAYLOAD = "SELECT payload FROM outledger_message";

  private record Role(String who, Story story, List<String> forbidden) {}

  private static List<Role> roles() {
    return List.of(
        new Role(
            "the application (outbox)",
            RightsStories::appends,
            List.of(ERASE, PAYLOAD, DELETE_MESSAGE, DELETE_INBOX, INSERT_CURSOR, PARKED)),
        new Role(
            "an application that schedules, too",
            RightsScheduled::schedules,
            List.of(ERASE, PAYLOAD, DELETE_MESSAGE, SCHEDULED_PAYLOAD, MAKE_DUE, PARKED)),
        new Role(
            "what moves [scheduled messages]",
            RightsScheduled::moves,
            List.of(ERASE, PAYLOAD, DELETE_MESSAGE, DELETE_INBOX, INSERT_CURSOR, PARKED)),
        new Role(
            "a consumer (inbox)",
            RightsStories::receives,
            List.of(ERASE, PAYLOAD, DELETE_MESSAGE, INSERT_CURSOR, INSERT_MESSAGE, PARKED)),
        new Role(
            "a consumer that is a saga",
            RightsSagas::runs,
            List.of(ERASE, PAYLOAD, DELETE_MESSAGE, INSERT_CURSOR, INSERT_MESSAGE, PARKED)),
        new Role(
            "a receiver with an inbox's handler",
            RightsStories::parks,
            List.of(ERASE, PAYLOAD, DELETE_MESSAGE, INSERT_CURSOR, INSERT_MESSAGE, PARKED)),
        new Role(
            "a relay",
            RightsStories::relays,
            List.of(ERASE, DELETE_MESSAGE, DELETE_INBOX, INSERT_MESSAGE)),
        new Role("a purge", RightsStories::purges, List.of(ERASE, INSERT_MESSAGE, INSERT_CURSOR)),
        new Role(
            "an operator", RightsStories::operates, List.of(ERASE, INSERT_MESSAGE, DELETE_MESSAGE)),
        new Role(
            "an operator who erases or edits",
            RightsEdits::erasesAndEdits,
            List.of(
                "UPDATE outledger_message SET topic = 't'",
                DELETE_MESSAGE,
                DELETE_INBOX,
                INSERT_CURSOR)),
        new Role(
            "somebody who reads by `Admin`",
            RightsStories::administers,
            List.of(ERASE, INSERT_MESSAGE, DELETE_MESSAGE, INSERT_CURSOR, DELETE_INBOX)),
        new Role(
            "a reader of payloads",
            RightsStories::reads,
            List.of(ERASE, PARKED, DELETE_MESSAGE, INSERT_CURSOR, INSERT_MESSAGE)),
        new Role(
            "people",
            RightsStories::looks,
            List.of(ERASE, PAYLOAD, PARKED, DELETE_MESSAGE, INSERT_CURSOR, INSERT_MESSAGE)));
  }

  /** What a role does all day; it throws where anything was refused. */
  private interface Story {
    void run(StoreDatabase database, DataSource role) throws Exception;
  }

  @ParameterizedTest
  @MethodSource("roles")
  void whatIsGrantedIsEnough(Role role) throws Exception {
    StoreDatabase database = StoreDatabase.create();
    role.story().run(database, DocumentedRights.of(role.who()).grantedIn(database, "enough"));
  }

  @Tag("long") // a database for each right
  @ParameterizedTest
  @MethodSource("roles")
  void everythingThatIsGrantedIsNeeded(Role role) throws Exception {
    DocumentedRights all = DocumentedRights.of(role.who());
    assertThat(all.rights()).doesNotHaveDuplicates().isNotEmpty();
    for (DocumentedRights.Right right : all.rights()) {
      StoreDatabase database = StoreDatabase.create();
      DataSource lacking = all.without(right).grantedIn(database, "lacking");
      assertThat(catchThrowable(() -> role.story().run(database, lacking)))
          .as("%s without %s", role.who(), right)
          .hasStackTraceContaining("permission denied");
    }
  }

  @ParameterizedTest
  @MethodSource("roles")
  void whatIsNotGrantedIsRefused(Role role) throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    DataSource source = DocumentedRights.of(role.who()).grantedIn(database, "refused");
    List<String> forbidden = new ArrayList<>(FOR_NOBODY);
    forbidden.addAll(role.forbidden());
    for (String sql : forbidden) {
      try (Connection connection = source.getConnection();
          Statement statement = connection.createStatement()) {
        assertThatThrownBy(() -> statement.execute(sql))
            .as("%s: %s", role.who(), sql)
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(NO_RIGHT));
      }
    }
  }
}
