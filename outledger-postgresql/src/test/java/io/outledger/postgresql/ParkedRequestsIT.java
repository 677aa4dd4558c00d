// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.ParkedMessages;
import io.outledger.jdbc.Requests;
import io.outledger.jdbc.Subscriptions;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.Verb;
import io.outledger.publish.Outcome;
import io.outledger.relay.Relay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an operator asks for a parked message, when something else happens to it meanwhile. */
class ParkedRequestsIT {

  private static final String PUBLISHED =
      "SELECT published_by IS NOT NULL FROM outledger_published WHERE position = 1";
  private static final String PUBLISHED_BY =
      "SELECT published_by FROM outledger_published WHERE position = 1";
  private static final String LATE = "SELECT discarded FROM outledger_late";

  private final StoreDatabase database = StoreDatabase.create();
  private final ParkedMessages parked = ParkedMessages.of(database.dataSource(), "public", "kafka");

  @Test
  void messageThatIsPublishedWhileADiscardIsAskedForIsPublished() throws SQLException {
    try (StoreBench bench = new StoreBench(database)) {
      bench.options = StoreBench.options().retry(RetryPolicy.DEFAULT.withAttemptsMax(1)).build();
      Relay relay = bench.relay();
      bench.publisher.rejectNext(1, new Outcome.Rejected("no", Outcome.Rejected.Kind.FINAL));
      bench.append("k", 1, 1);
      bench.steps(relay, 4);
      assertThat(bench.events(RelayEvent.Died.class)).hasSize(1);
      assertThat(parked.retry(1, "")).isTrue();
      bench.publisher.holdOutcomes();
      bench.clock.advance(Duration.ofSeconds(2));
      bench.steps(relay, 3);
      assertThat(parked.discard(1, "")).isTrue();
      bench.publisher.releaseOutcomes();
      bench.steps(relay, 3);
      assertThat(bench.events(RelayEvent.Recovered.class)).hasSize(1);
      assertThat(database.query(LATE)).containsExactly("f");
      assertThat(database.query(PUBLISHED)).containsExactly("t");
    }
  }

  @Test
  void discardedMessageIsNotSaidToBePublished() throws SQLException {
    try (StoreBench bench = new StoreBench(database)) {
      bench.options = StoreBench.options().retry(RetryPolicy.DEFAULT.withAttemptsMax(1)).build();
      Relay relay = bench.relay();
      bench.publisher.rejectNext(1, new Outcome.Rejected("no", Outcome.Rejected.Kind.FINAL));
      bench.append("k", 1, 1);
      bench.steps(relay, 4);
      assertThat(parked.discard(1, "")).isTrue();
      bench.clock.advance(Duration.ofSeconds(2));
      bench.steps(relay, 3);
      assertThat(bench.events(RelayEvent.Discarded.class)).hasSize(1);
      assertThat(database.query(LATE)).containsExactly("t");
      assertThat(database.query(PUBLISHED)).containsExactly("f");
    }
  }

  @Test
  void replayLeavesTheTimeAtWhichAMessageWasPublishedFirst() throws SQLException {
    database.execute(StoreDatabase.append(1));
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand owner = OwnerByHand.of(store);
      owner.readAndSettle();
      owner.save(List.of(), Positions.NONE);
      List<String> first = database.query(PUBLISHED_BY);
      publishCopy(owner, store);
      assertThat(database.query(LATE)).isEmpty();
      assertThat(database.query(PUBLISHED_BY)).isEqualTo(first);
    }
  }

  @Test
  void discardedMessageThatAReplayPublishesIsPublished() throws SQLException {
    database.execute(StoreDatabase.append(1));
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand owner = OwnerByHand.of(store);
      LedgerMessage message = owner.readAndSettle().messages().get(0);
      owner.save(List.of(park(message)), Positions.NONE);
      owner.save(List.of(remove(message.message(), true)), Positions.NONE);
      assertThat(database.query(LATE)).containsExactly("t");
      publishCopy(owner, store);
      assertThat(database.query(LATE)).containsExactly("f");
      assertThat(database.query(PUBLISHED)).containsExactly("t");
    }
  }

  /** Has the first message replayed, and published as its owner would. */
  private void publishCopy(OwnerByHand owner, RelayStore store) {
    Verb.Replay replay = new Verb.Replay("kafka", "", ReplayRange.ALL, Pace.UNLIMITED);
    Requests.of(database.dataSource(), "public").ask(replay.by("anna", "the vendor has lost it"));
    List<ParkedMessage> due = store.due(Set.of(""), Set.of(), 10);
    assertThat(due).hasSize(1);
    owner.save(List.of(remove(due.get(0).message(), false)), Positions.NONE);
  }

  private static ParkedChange remove(Message message, boolean isDiscarded) {
    return new ParkedChange.Remove(1, "", message.id(), isDiscarded);
  }

  @Test
  void everyDeadLetterOfTheSubscriptionIsAskedForAndNoOther() throws SQLException {
    database.execute(dead("kafka", 2001) + dead("kafka2", 3));
    database.execute("UPDATE outledger_parked SET state = 'held' WHERE position % 500 = 1");
    assertThat(parked.retryAll()).isEqualTo(1996);
    assertThat(
            database.query(
                "SELECT count(*), min(position), max(position) FROM outledger_parked"
                    + " WHERE requested = 'retry' AND subscription = 'kafka' AND state = 'dead'"))
        .containsExactly("1996|2|2000");
    assertThat(database.number("SELECT count(requested) FROM outledger_parked")).isEqualTo(1996);
  }

  private static String dead(String subscription, int count) {
    return """
    INSERT INTO outledger_parked
           (subscription, position, route, state, blocks, attempts, time, id, version, topic,
            message_key, type, payload)
    SELECT '%s', i, '', 'dead', true, 1, now(), gen_random_uuid(), 1, 'orders', 'k' || i,
           'order.placed', 'x'
      FROM generate_series(1, %d) i;
    """
        .formatted(subscription, count);
  }

  @Test
  void requestToRetryDoesNotOutliveAMoveBack() throws SQLException {
    database.execute(StoreDatabase.append(1));
    try (RelayStore store = database.store("kafka")) {
      OwnerByHand owner = OwnerByHand.of(store);
      LedgerMessage message = owner.readAndSettle().messages().get(0);
      owner.save(List.of(park(message)), Positions.NONE);
      assertThat(parked.retry(1, "")).isTrue();
      Subscriptions.of(database.dataSource(), "public").move("kafka", Start.EARLIEST);
      OwnerByHand again = OwnerByHand.of(store);
      LedgerMessage same = again.readAndSettle().messages().get(0);
      again.save(List.of(park(same)), Positions.NONE);
      assertThat(store.due(Set.of(""), Set.of(), 10)).isEmpty();
      assertThat(database.admin().parked(ParkedQuery.of(Reader.subscription("kafka"))).rows())
          .singleElement()
          .satisfies(dead -> assertThat(dead.requested()).isNull());
    }
  }

  private static ParkedChange park(LedgerMessage origin) {
    return new ParkedChange.Park(
        new ParkedMessage(
            origin.position(),
            "",
            origin.message(),
            ParkedState.DEAD,
            1,
            false,
            null,
            false,
            0,
            null),
        "no",
        null);
  }
}
