// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.ParkedMessages;
import io.outledger.jdbc.Subscriptions;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.relay.Relay;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.sql.SQLException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an operator selects is what is asked for, and what there is not is said. */
class ParkedSelectionIT {

  private static final ParkedSelection ALL = ParkedSelection.ALL;

  private final StoreDatabase database = StoreDatabase.create();
  private final ParkedMessages parked = ParkedMessages.of(database.dataSource(), "public", "kafka");

  @BeforeEach
  void park() throws SQLException {
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand.of(store);
    }
    insert(1, "mail", "dead", "placed", "'k-1', 'read timed out'");
    insert(2, "mail", "retrying", "placed", "'k-2', 'no such user'");
    insert(3, "stock", "dead", "cancelled", "NULL, 'read timed out'");
    insert(4, "stock", "held", "placed", "'k-1', NULL");
  }

  private void insert(long position, String route, String state, String type, String keyAndError)
      throws SQLException {
    database.execute(
        ("INSERT INTO outledger_parked (subscription, position, route, state, blocks, attempts,"
                + " next_attempt_at, time, id, version, topic, type, payload, message_key, error)"
                + " VALUES ('kafka', %d, '%s', '%s', false, 1, CASE '%s' WHEN 'retrying' THEN now()"
                + " END, now(), gen_random_uuid(), 1, 'topic-%s', '%s', '', %s)")
            .formatted(position, route, state, state, route, type, keyAndError));
  }

  private ParkedPlace place(String route, long position) {
    return rows(ALL.withRoute(route)).stream()
        .map(row -> row.place().ofSubscription())
        .filter(place -> place.position() == position)
        .findFirst()
        .orElseThrow();
  }

  private List<Long> listed(ParkedSelection selection) {
    return rows(selection).stream().map(one -> one.place().number()).toList();
  }

  private List<Parked> rows(ParkedSelection selection) {
    ParkedQuery query = ParkedQuery.of(Reader.subscription("kafka")).with(selection);
    return database.admin().parked(query).rows();
  }

  private List<String> asked() throws SQLException {
    return database.query(
        "SELECT position || requested FROM outledger_parked WHERE requested IS NOT NULL ORDER BY"
            + " 1");
  }

  @Test
  void eachConditionNarrowsTheSelection() {
    assertThat(listed(ALL)).containsExactly(1L, 2L, 3L, 4L);
    assertThat(listed(ParkedSelection.of(ParkedState.DEAD))).containsExactly(1L, 3L);
    assertThat(listed(ALL.withRoute("mail"))).containsExactly(1L, 2L);
    assertThat(listed(ALL.withType("cancelled"))).containsExactly(3L);
    assertThat(listed(ALL.withTopic("topic-stock"))).containsExactly(3L, 4L);
    assertThat(listed(ALL.withKey("k-1"))).containsExactly(1L, 4L);
    assertThat(listed(ALL.withErrorText("timed"))).containsExactly(1L, 3L);
    assertThat(listed(ALL.withErrorText("%"))).isEmpty();
    assertThat(
            listed(ParkedSelection.of(ParkedState.DEAD).withErrorText("timed").withRoute("mail")))
        .containsExactly(1L);
  }

  @Test
  void whatIsSelectedIsAskedForUnlessItIsHeld() throws SQLException {
    assertThat(parked.discard(ALL.withType("placed"))).isEqualTo(2);
    assertThat(asked()).containsExactly("1discard", "2discard");
    assertThat(parked.retry(ALL)).isEqualTo(3);
    assertThat(asked()).containsExactly("1retry", "2retry", "3retry");
    assertThat(parked.discard(2, "mail")).isTrue();
    assertThat(parked.discard(4, "stock")).isFalse();
    assertThat(parked.retryAll()).isEqualTo(2);
    assertThat(asked()).containsExactly("1retry", "2discard", "3retry");
    refused("OUT-021", () -> parked.retry(ParkedSelection.of(ParkedState.HELD)));
  }

  /** The ledger was emptied while the first was parked, and gave its position out again. */
  @Test
  void oneOfTwoMessagesOfAPositionIsNamedByItsPlace() throws SQLException {
    insert(1, "mail", "dead", "placed", "NULL, 'read timed out'");
    refused(
        "OUT-021 several messages are parked at position 1 of subscription \"kafka\"",
        () -> parked.discard(1, "mail"));
    List<Parked> both = rows(ALL.withRoute("mail"));
    assertThat(parked.discard(both.get(1).place().ofSubscription())).isTrue();
    assertThat(parked.retry(both.get(0).place().ofSubscription())).isTrue();
    assertThat(asked()).containsExactlyInAnyOrder("1discard", "1retry");
    assertThat(parked.retry(place("stock", 4))).isFalse();
    assertThat(parked.retry(3, "stock")).isTrue();
  }

  @Test
  void allAreAskedForInBatches() throws SQLException {
    database.execute(
        "INSERT INTO outledger_parked (subscription, position, route, state, blocks, attempts,"
            + " time, id, version, topic, type, payload) SELECT 'kafka', n, '', 'dead', false, 1,"
            + " now(), gen_random_uuid(), 1, 't', 'many', '' FROM generate_series(100, 2599) n");
    assertThat(parked.discard(ALL.withType("many"))).isEqualTo(2500);
    assertThat(database.number("SELECT count(*) FROM outledger_parked WHERE requested = 'discard'"))
        .isEqualTo(2500);
  }

  @Test
  void whatThereIsNotIsSaidEverywhereInTheSameWay() {
    ParkedMessages unknown = ParkedMessages.of(database.dataSource(), "public", "kafak");
    String said =
        "OUT-025 there is no subscription \"kafak\"; known subscriptions: \"kafka\"; check the"
            + " name";
    refused(said, () -> unknown.retry(1, "mail"));
    refused(said, () -> unknown.discard(1, "mail"));
    refused(said, () -> unknown.retry(ALL));
    refused(said, unknown::retryAll);
    Subscriptions subscriptions = Subscriptions.of(database.dataSource(), "public");
    refused(said, () -> subscriptions.move("kafak", Start.EARLIEST));
    refused(said, () -> subscriptions.delete("kafak"));
    refused(
        "OUT-025 there is no route \"mial\" in which position 1 of subscription \"kafka\" is"
            + " parked; known routes: \"mail\";",
        () -> parked.retry(1, "mial"));
    String noRoute =
        "OUT-025 there is no route \"mial\" of subscription \"kafka\"; known routes: \"mail\","
            + " \"stock\"; check the name;";
    refused(noRoute, () -> parked.retry(ALL.withRoute("mial")));
    refused(noRoute, () -> parked.discard(ALL.withRoute("mial")));
    refused(noRoute, () -> parked.retry(99, "mial"));
    refused(noRoute, () -> listed(ALL.withRoute("mial")));
    refused("OUT-025 there is no route \"\" in which position 3", () -> parked.discard(3, ""));
    assertThat(parked.retry(99, "mail")).isFalse();
    assertThat(parked.retry(ALL.withKey("nobody"))).isZero();
    assertThat(listed(ALL.withKey("nobody"))).isEmpty();
  }

  @Test
  void routeThatIsDeclaredIsKnownThoughNothingIsParkedInIt() {
    try (Outledger outledger = Outledger.builder(database.dataSource()).build();
        Relay relay =
            outledger.relay("kafka").handler("sms", (connection, message) -> {}).build()) {
      ParkedMessages own = outledger.parkedMessages("kafka");
      assertThat(relay.step().state()).isNotNull();
      assertThat(own.retry(ALL.withRoute("sms"))).isZero();
      // Nobody declares these any more: what they have parked can be ended.
      assertThat(own.discard(ALL.withRoute("stock"))).isEqualTo(1);
      refused(
          "OUT-025 there is no route \"mial\" of subscription \"kafka\"; known routes: \"mail\","
              + " \"sms\", \"stock\";",
          () -> own.retry(ALL.withRoute("mial")));
    }
  }

  private static void refused(String code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith(code);
  }
}
