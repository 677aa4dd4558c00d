// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.StoreException;
import io.outledger.jdbc.JdbcOutbox;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.jdbc.admin.Verb;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who grants what each refusal names, one after the other, has granted what is needed. */
class MissingRightIT {

  private static final Pattern ADVICE =
      Pattern.compile("grant the user ([A-Z]+) on (outledger_\\w+)( *, and LOCK TABLES)?");
  private static final int RIGHTS_MAX = 20;

  /** What a user does on a connection whose transaction is open. */
  private interface Step {
    void on(JdbcOutbox outbox, Connection connection);
  }

  @ParameterizedTest
  @EnumSource
  void appendingNeedsTwo(ChangeFilesIT.On server) throws Exception {
    try (TestDatabase database = server.open().withTables()) {
      assertThat(
              granted(
                  database,
                  (outbox, connection) ->
                      outbox.append(connection, Message.to("orders", "placed").build())))
          .containsExactlyInAnyOrder("INSERT on outledger_message", "SELECT on outledger_gate");
    }
  }

  @ParameterizedTest
  @EnumSource
  void lockingAKeyNeedsWhatTheServerAsksFor(ChangeFilesIT.On server) throws Exception {
    try (TestDatabase database = server.open().withTables()) {
      List<String> granted =
          granted(database, (outbox, connection) -> outbox.lockKeys(connection, "order-1"));
      assertThat(granted)
          .isEqualTo(
              server == ChangeFilesIT.On.MYSQL
                  ? List.of("SELECT on outledger_key_lock", "LOCK TABLES on *")
                  : List.of("SELECT on outledger_key_lock"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void operatorIsToldOneTable(ChangeFilesIT.On server) throws Exception {
    try (TestDatabase database = server.open().withTables()) {
      DataSource user = user(database, "SELECT ON {schema}.*");
      try (Outledger outledger = Outledger.builder(user).withoutRetention().build()) {
        assertThatThrownBy(
                () -> outledger.requests().ask(new Verb.Delete("all").by("anna", "not needed")))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("; grant the user INSERT on outledger_request: ");
      }
    }
  }

  /** The server hides a table from a user without a right on it. */
  @ParameterizedTest
  @EnumSource
  void tablesThatAreNotSeenMayBeThere(ChangeFilesIT.On server) throws Exception {
    try (TestDatabase database = server.open().withTables()) {
      DataSource user = user(database, "INSERT ON {schema}.outledger_message");
      assertThatThrownBy(() -> Outledger.builder(user).build())
          .isInstanceOf(ConfigurationException.class)
          .hasMessageStartingWith("OUT-003")
          .hasMessageContainingAll(
              "or the user may not see them", "grant the user SELECT on outledger_schema");
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoAppliesTheSchemaIsSentToOneWhoMayMakeTables(ChangeFilesIT.On server) throws Exception {
    try (TestDatabase database = server.open()) {
      DataSource user = user(database, "SELECT, INSERT ON {schema}.*");
      assertThatThrownBy(() -> Schema.of(user).apply(user))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("whoever applies the schema needs the right to make tables")
          .hasMessageNotContaining("grant the user");
    }
  }

  private static List<String> granted(TestDatabase database, Step step) throws Exception {
    GrantedUser user = new GrantedUser(database, List.of("SELECT ON {schema}.outledger_schema"));
    DataSource dataSource = user.dataSource();
    List<String> granted = new ArrayList<>();
    try (Outledger outledger = Outledger.builder(dataSource).withoutRetention().build()) {
      while (granted.size() < RIGHTS_MAX) {
        try (Connection connection = dataSource.getConnection()) {
          connection.setAutoCommit(false);
          step.on(outledger.outbox(), connection);
          connection.rollback();
          return granted;
        } catch (OutledgerException e) {
          Matcher advice = ADVICE.matcher(e.getMessage());
          assertThat(advice.find()).as(e.getMessage()).isTrue();
          String right =
              advice.group(3) == null
                  ? advice.group(1) + " on " + advice.group(2)
                  : "LOCK TABLES on *";
          assertThat(granted).as(e.getMessage()).doesNotContain(right);
          granted.add(right);
          user.grant(right.replace(" on ", " ON {schema}."));
        }
      }
    }
    return granted;
  }

  private static DataSource user(TestDatabase database, String right) {
    return new GrantedUser(database, List.of(right)).dataSource();
  }
}
