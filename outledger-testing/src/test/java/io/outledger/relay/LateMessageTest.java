// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.store.LeaseGrant;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import io.outledger.store.Start;
import io.outledger.testing.InMemoryTransaction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A message commits late, into a hole that slept, while an owner reads one message a page of what
 * its predecessor has left open. A transaction that ended shortly before makes it look at the hole.
 */
class LateMessageTest {

  private RelayBench bench = new RelayBench();
  private InMemoryTransaction ended = bench.ledger.begin();
  private InMemoryTransaction late = bench.ledger.begin();

  @ParameterizedTest
  @EnumSource
  void lateMessageFollowsAnEarlierOneOfThePageReadAhead(KeyOrder keyOrder) {
    bench = new RelayBench(keyOrder);
    leaveOpen("a1", "b1", "c1", "k1", "LATE", "z1");
    try (Relay relay = readUntilLateOneIsLookedFor(1)) {
      bench.steps(relay, 10);
    }
    assertThat(bench.published()).containsExactly("a1", "b1", "c1", "k1", "k8", "k9", "z1");
  }

  @Test
  void lateMessageFollowsEarlierOnesThatThePageHasWithheld() {
    leaveOpen("a1", "b1", "c1", "d1", "k1", "k2", "LATE", "k10");
    try (Relay relay = readUntilLateOneIsLookedFor(1)) {
      bench.steps(relay, 12);
    }
    assertThat(bench.published("k")).containsExactly("k1", "k2", "k8", "k9", "k10");
    assertThat(bench.published()).doesNotHaveDuplicates().hasSize(9);
  }

  /** The page has read on above, and the look has room for one of the two that are late. */
  @Test
  void laterOneOfThePageWaitsUntilAllThatIsLateWasRead() {
    leaveOpen("a1", "b1", "c1", "LATE", "z1");
    try (Relay relay = relay(1)) {
      bench.steps(relay, 6);
      late.commit();
      bench.append("k", 10, 11);
      bench.steps(relay, 12);
    }
    assertThat(bench.published("k")).containsExactly("k8", "k9", "k10", "k11");
    assertThat(bench.published()).doesNotHaveDuplicates().hasSize(8);
  }

  @Test
  void lateMessageFollowsEarlierOnesThatAnOutageHasReturned() {
    leaveOpen("k1", "b1", "k2", "k3", "LATE", "z1");
    try (Relay relay = relay(1)) {
      bench.publisher.goDown();
      bench.steps(relay, 1);
      bench.publisher.comeBack();
      bench.steps(relay, 1);
      ended.rollback();
      bench.steps(relay, 1);
      late.commit();
      bench.steps(relay, 1);
      bench.publisher.goDown();
      bench.steps(relay, 1);
      bench.publisher.comeBack();
      bench.clock.advance(Duration.ofSeconds(2));
      bench.steps(relay, 12);
    }
    assertThat(bench.published("k")).containsExactly("k1", "k2", "k3", "k8", "k9");
  }

  @ParameterizedTest
  @ValueSource(strings = {"k1", "k2"})
  void lateMessageIsHeldBehindAnEarlierOneThatIsParked(String rejected) {
    bench = new RelayBench(KeyOrder.ONE_AT_A_TIME);
    bench.publisher.rejectWhen(
        message -> new String(message.payload(), StandardCharsets.UTF_8).equals(rejected),
        new Outcome.Rejected("not yet", Outcome.Rejected.Kind.DEFINITE));
    leaveOpen("k1", "b1", "c1", "k2", "LATE", "z1");
    try (Relay relay = readUntilLateOneIsLookedFor(1)) {
      bench.steps(relay, 6);
      bench.publisher.acceptAll();
      bench.clock.advance(Duration.ofHours(1));
      bench.steps(relay, 12);
    }
    assertThat(bench.published("k")).containsExactly("k1", "k2", "k8", "k9");
    assertThat(bench.parked()).isEmpty();
  }

  /** A page that shows nothing open is divided where the window has no room for all of it. */
  @Test
  void lateMessagePrecedesTheRestOfAPageForWhichTheWindowHadNoRoom() {
    bench.ledger.inNewTransaction(RelayBench.message("a", 1));
    append("LATE");
    bench.append("b", 1, 1);
    try (Relay relay = relay(1 << 20)) {
      bench.steps(relay, 4); // its hole sleeps by now
      bench.publisher.holdOutcomes();
      bench.append("c", 1, 6);
      bench.steps(relay, 2);
      late.commit();
      ended.rollback();
      bench.append("k", 10, 13);
      for (int i = 0; i < 20; i++) {
        bench.publisher.releaseOne();
        bench.steps(relay, 1);
      }
      bench.publisher.releaseOutcomes();
      bench.steps(relay, 5);
    }
    assertThat(bench.published("k")).containsExactly("k8", "k9", "k10", "k11", "k12", "k13");
  }

  /** Two at once, and the transaction of one of them rolls back a part. */
  @Test
  void twoLateTransactionsOfOneLookFollowWhatWasReadBeforeThem() {
    InMemoryTransaction second = bench.ledger.begin();
    append("a1", "b1", "k1", "m1", "LATE");
    second.append(RelayBench.message("m", 2));
    append("z1");
    leaveOpen();
    try (Relay relay = relay(1)) {
      bench.steps(relay, 2);
      ended.rollback();
      bench.steps(relay, 1);
      late.commit();
      second.commit();
      bench.steps(relay, 12);
    }
    assertThat(bench.published("k")).containsExactly("k1", "k8", "k9");
    assertThat(bench.published("m")).containsExactly("m1", "m2");
  }

  /** Steps until the page read ahead shows the fourth message, and misses the late ones. */
  private Relay readUntilLateOneIsLookedFor(long pageBytesMax) {
    Relay relay = relay(pageBytesMax);
    bench.steps(relay, 2);
    ended.rollback();
    bench.steps(relay, 1);
    late.commit();
    return relay;
  }

  private Relay relay(long pageBytesMax) {
    bench.options =
        RelayBench.options()
            .polling(p -> p.withPageBytesMax(pageBytesMax).withPageMessagesMax(8))
            .window(w -> w.withMessages(12))
            .build();
    return bench.relay();
  }

  /** Appends messages by their names, such as "k1", and leaves all that was appended open. */
  private void leaveOpen(String... names) {
    append(names);
    List<Message> all = List.of(RelayBench.message("probe", 1));
    InMemoryTransaction probe = bench.ledger.begin();
    long high = probe.append(all).get(0) - 1;
    probe.rollback();
    UUID owner = UUID.randomUUID();
    try (RelayStore store = bench.ledger.relayStore(RelayBench.SUBSCRIPTION, Start.EARLIEST)) {
      LeaseGrant grant =
          store.takeOver(store.look(), owner, RelayBench.LEASE, () -> {}).orElseThrow();
      store.save(
          new Save(
              grant.n(),
              owner,
              grant.server(),
              Duration.ZERO,
              new Frontier(high, Positions.range(1, high)),
              Positions.NONE,
              Positions.NONE,
              List.of(),
              null,
              Set.of()));
    }
  }

  /** "LATE" is two holes: of the transaction that ends first, and "k8" and "k9" of the late one. */
  private void append(String... names) {
    for (String name : names) {
      if (name.equals("LATE")) {
        ended = bench.ledger.begin();
        late = bench.ledger.begin();
        ended.append(RelayBench.message("x", 1));
        late.append(RelayBench.message("k", 8), RelayBench.message("k", 9));
      } else {
        int number = Integer.parseInt(name.substring(1));
        bench.ledger.inNewTransaction(RelayBench.message(name.substring(0, 1), number));
      }
    }
  }
}
