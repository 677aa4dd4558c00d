// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.store.PauseScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A replay goes on beside what is new, and is in its way for moments alone. */
class ReplayBesideTest {

  private static final int MESSAGES = 1_000;

  /** As many copies as may have been handed over when a new message comes. */
  private static final int BEFORE_MAX = 50;

  private final RelayBench bench = new RelayBench(KeyOrder.ONE_AT_A_TIME);
  private final Relay relay = bench.relay();

  /** Publishes messages of many keys, which are settled then, and has them replayed. */
  private void replay() {
    for (int i = 0; i < MESSAGES; i++) {
      bench.append("key " + i + " ", 1, 1);
    }
    bench.steps(relay, 5);
    assertThat(bench.published()).hasSize(MESSAGES);
    bench.publisher.clear();
    bench.ledger.subscription(RelayBench.SUBSCRIPTION).replay("", 1, MESSAGES);
  }

  private void pass(Duration time) {
    bench.steps(relay, (int) (time.toMillis() / 20));
  }

  /** Goes to the moment in which so many have been published, or handed over. */
  private void until(int published) {
    while (bench.published().size() < published) {
      bench.steps(relay, 1);
    }
  }

  @Test
  void newMessageIsBehindFewCopies() {
    replay();
    bench.publisher.holdOutcomes();
    until(BEFORE_MAX);
    pass(Duration.ofMillis(500));
    assertThat(bench.published()).hasSize(BEFORE_MAX);
    bench.append("new ", 1, 1);
    bench.steps(relay, 2);
    assertThat(bench.published()).hasSize(BEFORE_MAX + 1).last().isEqualTo("new 1");
    bench.publisher.releaseOutcomes();
    pass(Duration.ofSeconds(1));
    assertThat(bench.published()).hasSize(MESSAGES + 1);
    assertThat(bench.parked()).isEmpty();
  }

  @Test
  void newMessageThatCommitsWhileCopiesAreSavedGoesBeforeTheNextOnes() {
    replay();
    until(BEFORE_MAX);
    List<String> before = new ArrayList<>();
    bench.before.put(
        "save",
        () -> {
          before.addAll(bench.published());
          bench.append("new ", 1, 1);
        });
    pass(Duration.ofSeconds(1));
    assertThat(bench.published().get(before.size())).isEqualTo("new 1");
    assertThat(bench.published()).hasSize(MESSAGES + 1);
  }

  /** It has waited for its destination, and nobody may wait longer for it than for the others. */
  @Test
  void whatMerelyHasNoKeyIsNoCopy() {
    bench.steps(relay, 2);
    PauseScope topic = PauseScope.topic("letters");
    bench.ledger.subscription(RelayBench.SUBSCRIPTION).pause(topic, "anna", "no paper");
    for (int i = 0; i < MESSAGES; i++) {
      bench.ledger.inNewTransaction(Message.to("letters", "t").payload(new byte[1]).build());
    }
    bench.steps(relay, 20);
    assertThat(bench.parked()).hasSize(MESSAGES);
    bench.publisher.holdOutcomes();
    bench.ledger.subscription(RelayBench.SUBSCRIPTION).resume(topic);
    pass(Duration.ofMillis(500));
    assertThat(bench.published()).hasSizeGreaterThan(10 * BEFORE_MAX);
  }

  /** They may wait for something that takes its time, and other rows do not wait for them. */
  @Test
  void copiesOfWhichNoneEndsKeepNoOthersBack() {
    replay();
    bench.publisher.holdOutcomes();
    until(BEFORE_MAX);
    pass(Duration.ofMillis(1_500));
    assertThat(bench.published()).hasSizeGreaterThan(BEFORE_MAX);
  }

  /** A replay goes on making copies, and each of them is soon looked for. */
  @Test
  void whatIsTakenUpWhileAReplayGoesOnIsLookedForSoon() {
    replay();
    until(MESSAGES);
    bench.steps(relay, 1);
    bench.ledger.subscription(RelayBench.SUBSCRIPTION).replay("", 1, 2);
    pass(Duration.ofMillis(100));
    assertThat(bench.published()).hasSize(MESSAGES + 2);
    int before = bench.calls("due");
    pass(Duration.ofSeconds(10));
    assertThat(bench.calls("due") - before).isLessThan(16);
  }

  @Test
  void whatIsReplayedAndFailsIsTriedAgain() {
    replay();
    bench.publisher.rejectNext(3, new Rejected("too large", Rejected.Kind.DEFINITE));
    pass(Duration.ofSeconds(5));
    assertThat(bench.published()).hasSize(MESSAGES).doesNotHaveDuplicates();
    assertThat(bench.parked()).isEmpty();
  }
}
