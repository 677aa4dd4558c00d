// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.admin.Listing;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.RequestPoint;
import io.outledger.jdbc.admin.RequestQuery;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.SubscriptionState;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.SqlNaming;
import io.outledger.store.Declaration;
import io.outledger.store.Declaring;
import io.outledger.store.PauseScope;
import io.outledger.store.Paused;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What an operator reads of what operators have asked for. */
abstract class AdminRequestContractTests extends AdminContractTests {

  private static final PauseScope ORDERS = PauseScope.topic("orders");

  private RequestStatus ask(Verb verb) {
    return outledger().requests().ask(verb.by("anna", "vendor down"));
  }

  private List<RequestStatus> listed(RequestQuery query) {
    return admin().requests(query).rows();
  }

  @Test
  final void requestsAreListedFromTheNewestOnByPage() {
    List<RequestStatus> asked = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      asked.add(0, ask(new Verb.Delete("s-" + i)));
    }
    List<RequestStatus> listed = new ArrayList<>();
    Listing<RequestStatus, RequestPoint> page = admin().requests(RequestQuery.ALL.withLimit(2));
    listed.addAll(page.rows());
    for (RequestPoint next = page.next(); next != null; next = page.next()) {
      page = admin().requests(RequestQuery.ALL.withLimit(2).after(next));
      listed.addAll(page.rows());
    }
    assertThat(listed).containsExactlyInAnyOrderElementsOf(asked);
    assertThat(listed)
        .extracting(RequestStatus::askedAt)
        .isSortedAccordingTo(Comparator.reverseOrder());
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> RequestQuery.ALL.withLimit(0));
  }

  @Test
  final void requestsAreListedByStateVerbAndReader() {
    owner();
    RequestStatus refused = ask(new Verb.Delete("nobody"));
    RequestStatus paused = ask(new Verb.Pause(SUBSCRIPTION, ORDERS));
    RequestStatus resumed = ask(new Verb.Resume(SUBSCRIPTION, ORDERS));
    assertThat(listed(RequestQuery.ALL.withState(RequestState.REFUSED))).containsExactly(refused);
    assertThat(listed(RequestQuery.ALL.withState(RequestState.WAITING))).isEmpty();
    assertThat(listed(RequestQuery.ALL.withVerb("pause"))).containsExactly(paused);
    assertThat(listed(RequestQuery.ALL.withReader(Reader.subscription(SUBSCRIPTION))))
        .containsExactlyInAnyOrder(resumed, paused);
    assertThat(listed(RequestQuery.ALL.withReader(Reader.consumer(SUBSCRIPTION)))).isEmpty();
    assertThat(listed(RequestQuery.ALL.withVerb("end-declaration"))).isEmpty();
    assertThatThrownBy(() -> RequestQuery.ALL.withVerb("puase"))
        .hasMessageStartingWith(
            "OUT-021 there is no verb \"puase\"; known verbs: [cancel-scheduled, delete, ");
  }

  @Test
  final void resumptionOfWhatIsNotPausedNamesWhatIs() {
    owner();
    Verb all = new Verb.Resume(SUBSCRIPTION, PauseScope.subscription());
    String nothing = "nothing to resume: the subscription is not paused";
    assertThat(ask(all).result()).isEqualTo(nothing);
    RequestStatus paused = ask(new Verb.Pause(SUBSCRIPTION, ORDERS));
    assertThat(ask(all).result())
        .isEqualTo(nothing + "; paused is: topic orders, by " + paused.askedBy());
    for (String key : List.of("a", "b", "c")) {
      ask(new Verb.Pause(SUBSCRIPTION, PauseScope.key(key)));
    }
    assertThat(ask(all).result()).endsWith("; and 1 more");
  }

  @Test
  final void callLooksAtABoundedNumberOfRequests() {
    SqlNaming naming = database().adminReads(dataSource());
    inTransaction(
        transaction -> {
          try (PreparedStatement statement =
              transaction.prepareStatement(
                  naming.in(
                      "INSERT INTO outledger_request"
                          + " (id, verb, reader_kind, reader, selection, asked_by, reason, state,"
                          + " result_text, asked_at, next_at, changed_at)"
                          + " VALUES (?, 'move', 'subscription', 'old', '', 'anna', 'why', ?, '',"
                          + " {now}, {now}, {now})"))) {
            for (int i = 0; i <= Count.MAX; i++) {
              naming.values().bind(statement, 1, new UUID(0, i));
              statement.setString(2, i == 0 ? "stopped" : "done");
              statement.addBatch();
            }
            statement.executeBatch();
          }
          try (Statement statement = transaction.createStatement()) {
            statement.execute(naming.in("UPDATE outledger_request SET asked_at = {now}"));
          }
        });
    RequestQuery stopped = RequestQuery.ALL.withState(RequestState.STOPPED);
    Listing<RequestStatus, RequestPoint> first = admin().requests(stopped);
    assertThat(first.rows()).isEmpty();
    Listing<RequestStatus, RequestPoint> last =
        admin().requests(stopped.after(there(first.next())));
    assertThat(last.rows()).extracting(RequestStatus::id).containsExactly(new UUID(0, 0));
    assertThat(last.next()).isNull();
  }

  @Test
  final void pausesAreShownWithWhoAndWhyAlsoWhereNobodyOwnsTheSubscription() {
    owner("other");
    owner().release();
    ask(new Verb.Pause(SUBSCRIPTION, ORDERS));
    ask(new Verb.Pause(SUBSCRIPTION, PauseScope.key("a")));
    ask(new Verb.Pause(SUBSCRIPTION, PauseScope.key("b")));
    ask(new Verb.Resume(SUBSCRIPTION, PauseScope.key("b")));
    SubscriptionState paused = admin().subscriptions().get(0);
    assertThat(paused.isRunning()).isFalse();
    assertThat(paused.pauses())
        .extracting(Paused::scope)
        .containsExactly(PauseScope.key("a"), ORDERS);
    Paused topic = paused.pauses().get(1);
    assertThat(topic.by()).isEqualTo("anna");
    assertThat(topic.reason()).isEqualTo("vendor down");
    assertThat(topic.since()).isBeforeOrEqualTo(databaseNow());
    assertThat(admin().subscriptions().get(1).pauses()).isEmpty();
    assertThat(admin().overview().subscriptions().get(0).pauses()).hasSize(2);
  }

  /** A replay, a purge or a deletion of another one may take its time. */
  @Test
  final void pauseWaitsForNobodyWhoWorksAtTheLedger() throws SQLException {
    owner();
    if (fixture().writers() == DatabaseFixture.Writers.ONE) {
      return;
    }
    try (Connection connection = dataSource().getConnection()) {
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.execute("UPDATE outledger_retention SET purged_to = purged_to");
        assertThat(ask(new Verb.Pause(SUBSCRIPTION, ORDERS)).state()).isEqualTo(RequestState.DONE);
        assertThat(ask(new Verb.Resume(SUBSCRIPTION, ORDERS)).state()).isEqualTo(RequestState.DONE);
      }
      connection.rollback();
    }
  }

  @Test
  final void routeThatIsNotDeclaredIsNotPaused() {
    owner()
        .store()
        .declare(
            new Declaring(
                Set.of(Declaration.everything("mail"), Declaration.everything("stock")), Set.of()));
    RequestStatus refused = ask(new Verb.Pause(SUBSCRIPTION, PauseScope.route("mial")));
    assertThat(refused.state()).isEqualTo(RequestState.REFUSED);
    assertThat(refused.result())
        .startsWith(
            "there is no route \"mial\" of subscription \"contract\"; known routes: \"mail\","
                + " \"stock\";");
    assertThat(admin().subscriptions().get(0).pauses()).isEmpty();
    assertThat(ask(new Verb.Pause(SUBSCRIPTION, PauseScope.route("mail"))).state())
        .isEqualTo(RequestState.DONE);
    assertThat(ask(new Verb.Pause(SUBSCRIPTION, PauseScope.topic("never seen"))).state())
        .isEqualTo(RequestState.DONE);
  }

  @Test
  final void subscriptionThatIsMadeAgainIsNotPaused() {
    owner().release();
    ask(new Verb.Pause(SUBSCRIPTION, PauseScope.subscription()));
    ask(new Verb.Pause(SUBSCRIPTION, ORDERS));
    ask(new Verb.Delete(SUBSCRIPTION));
    Owner again = owner();
    assertThat(admin().subscriptions().get(0).pauses()).isEmpty();
    assertThat(again.store().pauses().current()).isEmpty();
  }

  private Instant databaseNow() {
    return ask(new Verb.Delete("nobody")).changedAt();
  }
}
