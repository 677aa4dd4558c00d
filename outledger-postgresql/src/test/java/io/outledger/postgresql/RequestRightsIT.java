// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.StoreException;
import io.outledger.jdbc.Requests;
import io.outledger.jdbc.admin.Move;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.admin.Which;
import io.outledger.store.Declaration;
import io.outledger.store.Declaring;
import io.outledger.store.ParkedState;
import io.outledger.store.PauseScope;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What an operator asks for whose role lacks a right: an error that says so, and an audit. */
class RequestRightsIT {

  private static final String WHO = "anna";
  private static final String WHY = "the vendor has lost them";
  private static final String AUDIT =
      "SELECT state, asked_by, reason, done_count, error_code FROM outledger_request";
  private static final String TABLES =
      """
      SELECT tablename FROM pg_tables
       WHERE schemaname = 'public' AND tablename <> 'outledger_request' ORDER BY tablename\
      """;

  private final StoreDatabase database = StoreDatabase.create();

  /** A subscription that has settled all, with a dead letter. */
  private void settled() throws SQLException {
    database.execute(StoreDatabase.append(3));
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand owner = OwnerByHand.of(store);
      store.declare(new Declaring(Set.of(Declaration.everything("mail")), Set.of()));
      owner.readAndSettle();
    }
    database.execute(
        """
        INSERT INTO outledger_parked
               (subscription, position, route, state, blocks, attempts, time, id, version, topic,
                message_key, type, payload)
        SELECT 'kafka', m.position, 'mail', 'dead', false, 1, m.time, m.id, m.version, m.topic,
               m.message_key, m.type, m.payload
          FROM outledger_message m WHERE m.position = 1\
        """);
    database.execute("UPDATE outledger_cursor SET lease_until = NULL");
  }

  /** A verb, and a right that it needs. */
  private record Needs(Verb verb, DocumentedRights.Right right) {

    static Needs of(Verb verb, String privilege, String table) {
      return new Needs(verb, new DocumentedRights.Right(privilege, table));
    }
  }

  private static List<Needs> verbs() {
    Which dead = new Which.Selected(ParkedSelection.of(ParkedState.DEAD));
    Reader kafka = Reader.subscription("kafka");
    Verb replay =
        new Verb.Replay("kafka", "mail", ReplayRange.positions(2, 3), Pace.UNLIMITED, false);
    return List.of(
        Needs.of(new Move("kafka", Start.EARLIEST), "INSERT", "outledger_cursor"),
        Needs.of(new Verb.Delete("kafka"), "DELETE", "outledger_parked"),
        Needs.of(new Verb.Pause("kafka", PauseScope.topic("orders")), "INSERT", "outledger_pause"),
        Needs.of(new Verb.Retry(kafka, dead, Pace.UNLIMITED), "UPDATE", "outledger_parked"),
        Needs.of(new Verb.Discard(kafka, dead, Pace.UNLIMITED), "UPDATE", "outledger_parked"),
        Needs.of(replay, "INSERT", "outledger_parked"));
  }

  @Test
  void whoMayNotAskChangesNothing() throws SQLException {
    settled();
    DataSource reads =
        DocumentedRights.of("somebody who reads by `Admin`").grantedIn(database, "reads");
    List<String> before = everything();
    for (Needs each : verbs()) {
      assertThatThrownBy(() -> ask(reads, each.verb().by(WHO, WHY)))
          .isInstanceOf(StoreException.class)
          .hasMessageContainingAll("noting request", "the user lacks a right on outledger_request");
    }
    assertThat(database.number("SELECT count(*) FROM outledger_request")).isZero();
    assertThat(everything()).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void whatARoleMayNotDoIsNotedAndLeftToOneThatMay(Needs needs) throws SQLException {
    settled();
    DocumentedRights all = DocumentedRights.of("an operator");
    assertThat(all.rights()).contains(needs.right());
    DataSource lacking = all.without(needs.right()).grantedIn(database, "lacking");
    Request request = needs.verb().by(WHO, WHY);
    List<String> before = everything();

    for (int time = 1; time <= 2; time++) {
      assertThatThrownBy(() -> ask(lacking, request))
          .isInstanceOf(StoreException.class)
          .hasMessageContainingAll(
              "request " + request.id() + " was noted, but could not be carried out",
              "the user lacks a right on " + needs.right().object());
      assertThat(everything()).isEqualTo(before);
      assertThat(database.query(AUDIT)).containsExactly("waiting|anna|" + WHY + "|0|null");
    }

    RequestStatus status = ask(all.grantedIn(database, "full"), request);
    assertThat(status.state()).isIn(RequestState.RUNNING, RequestState.DONE);
    assertThat(everything()).isNotEqualTo(before);
    assertThat(database.number("SELECT count(*) FROM outledger_request")).isEqualTo(1);
  }

  private static RequestStatus ask(DataSource role, Request request) {
    return Requests.of(role, "public").ask(request);
  }

  /** Returns the rows of all tables but those of the audit. */
  private List<String> everything() throws SQLException {
    List<String> rows = new ArrayList<>();
    for (String table : database.query(TABLES)) {
      database
          .query("SELECT t.* FROM " + table + " t ORDER BY t::text")
          .forEach(row -> rows.add(table + ": " + row));
    }
    return rows;
  }
}
