// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Route;
import io.outledger.relay.options.Transforms;
import io.outledger.store.Declaration;
import io.outledger.store.ParkedState;
import io.outledger.testing.RecordingPublisher;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Instances of different versions of the code, which have different routes. */
class DeclarationsTest {

  private static final Accepts PAID = Accepts.type("paid", 1);
  private static final Accepts REFUNDED = Accepts.type("refunded", 1);

  private final RelayBench bench = new RelayBench();
  private final RecordingPublisher ledger = new RecordingPublisher();
  private final RecordingPublisher refunds = new RecordingPublisher();
  private int number;

  private Relay old() {
    return bench.relay(List.of(new Route("ledger", ledger, PAID)));
  }

  private Relay young() {
    return bench.relay(
        List.of(new Route("ledger", ledger, PAID), new Route("refunds", refunds, REFUNDED)));
  }

  private void append(@Nullable String key, String type) {
    number++;
    Message.Builder message =
        Message.to("money", type)
            .id(new UUID(7, number))
            .payload((type + number).getBytes(StandardCharsets.UTF_8));
    bench.ledger.inNewTransaction((key == null ? message : message.key(key)).build());
  }

  private static List<String> published(RecordingPublisher publisher) {
    return publisher.messages().stream()
        .map(message -> new String(message.payload(), StandardCharsets.UTF_8))
        .toList();
  }

  private void end(Relay relay) {
    relay.handOver();
    while (relay.step().state() == StepReport.State.OWNER) {
      bench.clock.advance(Duration.ofMillis(1));
    }
    relay.close();
  }

  @Test
  void messageOfAHandlerThatOnlyAStandbyHasIsNotSettledWithoutIt() {
    Relay old = old();
    bench.steps(old, 3);
    Relay young = young();
    bench.steps(young, 1);
    for (int i = 0; i < 5; i++) {
      append("a", "paid");
      append("a", "refunded");
    }
    bench.steps(old, 5);
    assertThat(published(ledger)).hasSize(5);
    assertThat(bench.parked()).hasSize(5);
    end(old);
    bench.steps(young, 200);
    append("a", "refunded");
    bench.steps(young, 5);
    assertThat(published(refunds))
        .containsExactly(
            "refunded2", "refunded4", "refunded6", "refunded8", "refunded10", "refunded11");
    assertThat(published(ledger)).hasSize(5);
    assertThat(bench.parked()).isEmpty();
  }

  @Test
  void ownerHandsOverToAStandbyThatHasMore() {
    Relay old = old();
    bench.steps(old, 3);
    bench.clock.advance(RelayBench.LEASE.dividedBy(2));
    bench.steps(old, 1);
    bench.clock.advance(RelayBench.LEASE.dividedBy(2));
    bench.steps(old, 1);
    Relay young = young();
    bench.steps(young, 1);
    append(null, "refunded");
    bench.steps(old, 5);
    assertThat(bench.events(RelayEvent.HandsOver.class)).hasSize(1);
    bench.steps(young, 5);
    assertThat(published(refunds)).containsExactly("refunded1");
    assertThat(bench.parked()).isEmpty();
    bench.steps(old, 5);
    assertThat(old.step().state()).isEqualTo(StepReport.State.STANDBY);
  }

  @Test
  void wideRouteOfANewVersionIsNotSettledByTheNarrowOneOfAnOld() {
    Relay old = bench.relay(List.of(new Route("out", ledger, Accepts.topics("orders"))));
    bench.steps(old, 3);
    Relay young = bench.relay(List.of(new Route("out", ledger, Accepts.topics("orders", "money"))));
    bench.steps(young, 1);
    append("a", "paid");
    append(null, "paid");
    bench.append("b", 1, 1);
    bench.steps(old, 5);
    assertThat(bench.parked()).hasSize(2);
    end(old);
    bench.clock.advance(Duration.ofSeconds(30));
    bench.steps(young, 100);
    assertThat(published(ledger)).containsExactlyInAnyOrder("b1", "paid1", "paid2");
    assertThat(bench.parked()).isEmpty();
  }

  @Test
  void ruleThatWasChangedUnderANewNameIsNotSettledByTheOldRule() {
    Relay old = bench.relay(List.of(new Route("out", ledger, Accepts.rule("1", m -> false))));
    bench.steps(old, 3);
    Relay young = bench.relay(List.of(new Route("out", ledger, Accepts.rule("2", m -> true))));
    bench.steps(young, 1);
    append("a", "paid");
    bench.steps(old, 5);
    assertThat(bench.parked()).hasSize(1);
    end(old);
    bench.clock.advance(Duration.ofSeconds(30));
    bench.steps(young, 100);
    assertThat(published(ledger)).containsExactly("paid1");
  }

  @Test
  void goingBackToTheOldVersionLosesNothing() {
    Relay young = young();
    bench.steps(young, 3);
    end(young);
    Relay old = old();
    bench.steps(old, 100);
    append("a", "refunded");
    append("a", "paid");
    append(null, "refunded");
    bench.steps(old, 100);
    assertThat(published(ledger)).containsExactly("paid2");
    assertThat(bench.parked()).hasSize(2);
    assertThat(bench.parked())
        .allSatisfy(
            row -> {
              assertThat(row.error()).contains("waits for an instance that has route refunds");
              assertThat(row.message().attempts()).isZero();
              assertThat(row.message().state()).isNotEqualTo(ParkedState.DEAD);
            });
    end(old);
    Relay again = young();
    bench.steps(again, 100);
    assertThat(published(refunds)).containsExactlyInAnyOrder("refunded1", "refunded3");
    assertThat(bench.parked()).isEmpty();
  }

  @Test
  void twoDeployablesThatShareASubscriptionBothGetTheirMessages() {
    Relay mails = bench.relay(List.of(new Route("mails", ledger, Accepts.everything())));
    Relay invoices = bench.relay(List.of(new Route("invoices", refunds, Accepts.everything())));
    mails.declare();
    invoices.declare();
    IntStream.rangeClosed(1, 20).forEach(i -> append(i % 3 == 0 ? null : "k" + i % 3, "paid"));
    for (int i = 0; i < 6000; i++) {
      mails.step();
      invoices.step();
      bench.clock.advance(Duration.ofMillis(20));
    }
    assertThat(published(ledger)).hasSize(20).doesNotHaveDuplicates();
    assertThat(published(refunds)).hasSize(20).doesNotHaveDuplicates();
    assertThat(bench.parked()).isEmpty();
  }

  @Test
  void orderOfAKeyHoldsWhereSomeOfItsMessagesWaitForAnotherInstance() {
    Relay old = bench.relay(List.of(new Route("ledger", ledger, PAID)));
    bench.steps(old, 3);
    Relay young =
        bench.relay(
            List.of(new Route("ledger", ledger, Accepts.types(Set.of("paid v1", "refunded v1")))));
    bench.steps(young, 1);
    append("a", "paid");
    append("a", "refunded");
    append("a", "paid");
    append("b", "paid");
    bench.steps(old, 200);
    assertThat(published(ledger)).containsExactly("paid1", "paid4");
    end(old);
    bench.clock.advance(Duration.ofSeconds(30));
    bench.steps(young, 100);
    assertThat(published(ledger)).containsExactly("paid1", "paid4", "refunded2", "paid3");
  }

  @Test
  void whatAnInstanceReplacesIsNotKeptForAnybody() {
    Relay young = young();
    bench.steps(young, 3);
    end(young);
    bench.options = RelayBench.options().replaces("refunds").build();
    Relay old = old();
    bench.steps(old, 3);
    append("a", "refunded");
    bench.steps(old, 100);
    assertThat(bench.parked()).isEmpty();
    assertThat(bench.ledger.declared(RelayBench.SUBSCRIPTION).current())
        .containsOnlyKeys(
            Declaration.filter("EVERYTHING"),
            new Declaration("ledger", Declaration.Takes.TYPE, "paid v1"));
  }

  @Test
  void declarationThatAnOperatorEndsKeepsNothingBackAnyMore() {
    Relay young = young();
    bench.steps(young, 3);
    end(young);
    Relay old = old();
    bench.steps(old, 100);
    endRefunds();
    pass(old, Duration.ofSeconds(31));
    append("a", "refunded");
    bench.steps(old, 5);
    assertThat(bench.parked()).isEmpty();
    assertThat(bench.events(RelayEvent.Lacks.class))
        .extracting(event -> event.declarations().size())
        .containsExactly(1, 0);
  }

  /** Lets time pass while the relay works. */
  private void pass(Relay relay, Duration time) {
    for (long i = 0; i < time.toSeconds(); i++) {
      bench.clock.advance(Duration.ofSeconds(1));
      bench.steps(relay, 2);
    }
  }

  @Test
  void whatALiveInstanceHasIsNotEndedByOneThatReplacesIt() {
    Relay owner = young();
    bench.steps(owner, 3);
    Relay standby = young();
    bench.steps(standby, 1);
    bench.options = RelayBench.options().replaces("refunds").build();
    Relay old = old();
    bench.steps(old, 1); // as a restart of a release that was to clean up once
    assertThat(isDeclared("refunds")).isFalse();
    bench.steps(standby, 1);
    assertThat(isDeclared("refunds")).isTrue();
    assertThat(bench.events(RelayEvent.DeclaredAgain.class)).hasSize(1);
    end(owner);
    bench.steps(old, 3);
    append("a", "refunded");
    bench.steps(old, 20);
    end(old);
    bench.clock.advance(Duration.ofSeconds(30));
    bench.steps(standby, 100);
    assertThat(published(refunds)).containsExactly("refunded1");
  }

  @Test
  void ownerDeclaresAgainWhatAnOperatorEndsWhileItHasIt() {
    Relay owner = young();
    bench.steps(owner, 3);
    endRefunds();
    append("a", "refunded");
    bench.steps(owner, 3);
    assertThat(isDeclared("refunds")).isTrue();
    assertThat(published(refunds)).containsExactly("refunded1");
  }

  @Test
  void whatCommitsBeforeALiveInstanceDeclaresAgainIsKeptForIt() {
    Relay old = old();
    bench.steps(old, 3);
    Relay standby = young();
    bench.steps(standby, 1);
    bench.steps(old, 2);
    endRefunds();
    append("a", "refunded");
    bench.steps(old, 3);
    assertThat(bench.parked()).hasSize(1);
    bench.steps(standby, 1);
    end(old);
    bench.clock.advance(Duration.ofSeconds(30));
    bench.steps(standby, 100);
    assertThat(published(refunds)).containsExactly("refunded1");
  }

  private void endRefunds() {
    bench.ledger.endDeclaration(
        RelayBench.SUBSCRIPTION, new Declaration("refunds", Declaration.Takes.TYPE, "refunded v1"));
  }

  private boolean isDeclared(String route) {
    return bench.ledger.declared(RelayBench.SUBSCRIPTION).current().keySet().stream()
        .anyMatch(each -> each.route().equals(route));
  }

  @Test
  void messageThatIsReadAgainIsParkedOnceForTheOtherInstance() {
    Relay young = young();
    bench.steps(young, 3);
    end(young);
    Relay old = old();
    bench.steps(old, 100);
    ledger.holdOutcomes();
    append("a", "paid");
    bench.ledger.inNewTransaction(
        Message.to("money", "refunded").version(1).id(new UUID(9, 9)).key("a").build());
    bench.steps(old, 3);
    old.close();
    Relay next = old();
    bench.steps(next, 2);
    bench.clock.advance(RelayBench.LEASE.multipliedBy(2));
    ledger.releaseOutcomes();
    bench.steps(next, 100);
    assertThat(bench.parked()).hasSize(1);
    assertThat(bench.ledger.subscription(RelayBench.SUBSCRIPTION).frontier().open().isEmpty())
        .isTrue();
  }

  private Relay filtered(Accepts filter) {
    bench.options = RelayBench.options().transforms(Transforms.NONE.withFilter(filter)).build();
    return bench.relay();
  }

  @Test
  void filterThatANewVersionHasWidenedIsNotTheOldOnes() {
    for (Accepts wide : List.of(Accepts.topics("orders", "money"), Accepts.everything())) {
      Relay old = filtered(Accepts.topics("orders"));
      bench.steps(old, 100);
      Relay young = filtered(wide);
      bench.steps(young, 1);
      append("a", "paid");
      bench.steps(old, 10);
      assertThat(bench.parked()).hasSize(1);
      end(old);
      bench.clock.advance(Duration.ofSeconds(30));
      bench.steps(young, 100);
      assertThat(bench.parked()).isEmpty();
      end(young);
    }
    assertThat(bench.published()).containsExactly("paid1", "paid2");
  }

  @Test
  void sameFilterInAllVersionsParksNothingThatItLeavesOut() {
    bench.options =
        RelayBench.options()
            .transforms(Transforms.NONE.withFilter(Accepts.topics("orders")))
            .build();
    Relay young = young();
    bench.steps(young, 3);
    end(young);
    Relay old = old();
    bench.steps(old, 100);
    append("a", "refunded");
    bench.steps(old, 5);
    assertThat(bench.parked()).isEmpty();
  }

  @Test
  void standbyOfAnOldVersionLetsTheNewOneGoFirst() {
    Relay first = old();
    bench.steps(first, 3);
    Relay second = old();
    Relay young = young();
    bench.steps(young, 1);
    bench.clock.advance(RelayBench.LEASE.dividedBy(2));
    bench.steps(first, 1);
    bench.clock.advance(RelayBench.LEASE.dividedBy(2));
    while (first.step().state() == StepReport.State.OWNER) {
      bench.clock.advance(Duration.ofMillis(20));
    }
    assertThat(second.step().state()).isEqualTo(StepReport.State.STANDBY);
    young.step();
    assertThat(young.step().state()).isEqualTo(StepReport.State.OWNER);
  }
}
