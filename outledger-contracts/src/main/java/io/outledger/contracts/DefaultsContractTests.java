// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Delivery;
import io.outledger.Message;
import io.outledger.frontier.Positions;
import io.outledger.inbox.InboxId;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Retention;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.jdbc.spi.RetentionStore;
import io.outledger.jdbc.spi.RetentionStore.Step;
import io.outledger.relay.RunningRelay;
import io.outledger.store.ParkedState;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import io.outledger.testing.RecordingPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What transactions of ours do is the same whatever a pool, a role or the server has for defaults,
 * and leaves each session as it was.
 */
abstract class DefaultsContractTests extends DatabaseContractTests {

  @Test
  final void nothingDependsOnTheDefaultsOfAPoolThatCommits() throws Exception {
    assertWorks(Connection.TRANSACTION_REPEATABLE_READ, true);
  }

  @Test
  final void nothingDependsOnTheDefaultsOfAPoolThatDoesNotCommit() throws Exception {
    assertWorks(Connection.TRANSACTION_SERIALIZABLE, false);
  }

  private void assertWorks(int isolation, boolean autoCommit) throws Exception {
    HostilePool pool =
        new HostilePool(dataSource(), fixture().hostileSettings(), isolation, autoCommit);
    append("a", "b", "c", "d");
    assertReadsFromTheEndOnly(pool);
    assertLoadsAllOpenPositions(pool);
    assertListsAllThatIsParked(pool);
    assertPurges(pool);
    assertMovesWhatIsDue(pool);
    assertThat(pool.changed()).isEmpty();
  }

  private RelayStore store(HostilePool pool, String subscription, Start start) {
    return database()
        .relayStore(
            pool.dataSource(),
            new RelaySubscription(new CursorKey(subscription, 0), start, Duration.ofMinutes(1)));
  }

  private void assertReadsFromTheEndOnly(HostilePool pool) throws Exception {
    try (RelayStore store = store(pool, "late", Start.NOW)) {
      Owner owner = Owner.of(store, LONG);
      assertThat(read(owner)).isEmpty();
      append("e");
      assertThat(messagesOf(owner)).hasSize(5);
      assertThat(read(owner)).hasSize(1);
      settle(owner);
      owner.release();
    }
  }

  private void assertLoadsAllOpenPositions(HostilePool pool) throws Exception {
    try (RelayStore store = store(pool, "early", Start.EARLIEST)) {
      Owner owner = Owner.of(store, LONG);
      List<Long> at = read(owner);
      Positions beside = Positions.of(at.get(0), at.get(2));
      owner.saveOverflow(
          owner.frontier().readTo(at.get(4)).settle(Positions.of(at.get(1), at.get(3), at.get(4))),
          beside);
      Owner next = Owner.of(store, LONG);
      assertThat(next.grant().overflow()).isEqualTo(beside);
      next.save(
          ParkedRows.park(at.get(1), "b", ParkedState.DEAD, null),
          ParkedRows.park(at.get(3), "d", ParkedState.DEAD, null));
      next.saveOverflow(next.frontier().settle(beside), Positions.NONE);
      next.release();
    }
  }

  private void assertListsAllThatIsParked(HostilePool pool) {
    try (Outledger outledger = Outledger.builder(pool.dataSource()).withoutRetention().build()) {
      assertThat(outledger.admin().parked(ParkedQuery.of(Reader.subscription("early"))).rows())
          .hasSize(2);
      assertThat(outledger.parkedMessages("early").retryAll()).isEqualTo(2);
    }
  }

  private void assertPurges(HostilePool pool) throws SQLException {
    InboxId id = new InboxId("shop", "1");
    inTransaction(transaction -> database().inbox().insert(transaction, "c", Set.of(id)));
    RetentionStore retention = database().retention(pool.dataSource(), Retention.BATCH_DEFAULT);
    assertThat(retention.purgeMessages(AT_ONCE, Step.NONE).removed()).isEqualTo(5);
    assertThat(retention.purgeInbox(Duration.ofDays(1)).removed()).isZero();
  }

  private void assertMovesWhatIsDue(HostilePool pool) {
    for (String key : List.of("f", "g")) {
      process()
          .outbox()
          .inNewTransaction(
              Message.to("orders", "OrderPlaced").key(key), Delivery.after(Duration.ZERO));
    }
    RecordingPublisher publisher = new RecordingPublisher();
    try (Outledger outledger = Outledger.builder(pool.dataSource()).withoutRetention().build();
        RunningRelay relay = outledger.relay("mover").to(publisher).start()) {
      until(relay, () -> publisher.messages().size() >= 2);
    }
    assertThat(publisher.messages()).extracting(Message::key).containsExactly("f", "g");
  }
}
