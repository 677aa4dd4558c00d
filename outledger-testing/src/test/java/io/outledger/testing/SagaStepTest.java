// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.saga.SagaOutcome;
import io.outledger.saga.SagaPhase;
import io.outledger.saga.SagaStep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What one step may do, of a saga whose steps are the test's. */
class SagaStepTest extends ErrandSaga {

  @Test
  void timeoutComesAtItsTime() throws Exception {
    Instant due = errand.clock().now().plus(HOUR);
    begin();
    moved = step -> step.timeoutAt("t", due, new Late("e"));
    errand.receive(new Moved("e"));
    assertThat(errand.timeouts("e")).containsExactly(Map.entry("t", due));
    late = SagaStep::end;
    assertThat(errand.pass(HOUR.minusMillis(1))).isEmpty();
    assertThat(errand.pass(Duration.ofMillis(1))).containsExactly(SagaOutcome.ENDED);
  }

  @Test
  void secondTimeoutOfANameReplacesTheFirst() throws Exception {
    begin();
    moved = step -> step.timeoutAfter("t", HOUR, new Late("e"));
    errand.receive(new Moved("e"));
    moved = step -> step.timeoutAfter("t", HOUR.multipliedBy(3), new Late("e"));
    errand.receive(new Moved("e"));
    assertThat(errand.scheduled()).hasSize(1);
    assertThat(errand.pass(HOUR.multipliedBy(2))).isEmpty();
    assertThat(errand.pass(HOUR)).containsExactly(SagaOutcome.MOVED);
  }

  /** Such as one for a duplicate. */
  @Test
  void aStepThatSaysNothingLeavesWhatTheSagaWaitsFor() throws Exception {
    begun =
        step -> {
          if (step.isNew()) {
            step.become(new Errand("begun"));
            step.waitFor("the payment");
          }
        };
    errand.receive(new Begun("e"));
    errand.receive(new Begun("e"));
    assertThat(errand.waitsFor("e")).contains("the payment");
    moved = step -> step.waitFor("the parcel");
    errand.receive(new Moved("e"));
    assertThat(errand.waitsFor("e")).contains("the parcel");
  }

  /** A refund that nobody confirms must not wait for ever. */
  @Test
  void timeoutThatACompensationSchedulesComesAndMayBeItsAnswer() throws Exception {
    begin("waiting");
    undoing =
        step -> {
          step.waitFor("the answer");
          step.timeoutAfter("t", HOUR, new Late("e"));
        };
    moved = SagaStep::compensate;
    assertThat(errand.receive(new Moved("e"))).isEqualTo(SagaOutcome.MOVED);
    assertThat(errand.timeouts("e")).containsOnlyKeys("t");
    late = SagaStep::compensate;
    assertThat(errand.pass(HOUR)).containsExactly(SagaOutcome.ENDED);
  }

  /** It would confirm a refund of which nobody has heard. */
  @Test
  void timeoutOfACompensationIsNoAnswerOfTheNextOne() throws Exception {
    begin("waiting", "waiting");
    undoing =
        step -> {
          step.waitFor("the answer");
          step.timeoutAfter("t" + step.done().size(), HOUR, new Late("e"));
        };
    moved = SagaStep::compensate;
    late = SagaStep::compensate;
    errand.receive(new Moved("e"));
    assertThat(errand.timeouts("e")).containsOnlyKeys("t2");
    errand.pass(HOUR.minusMinutes(1));
    assertThat(errand.receive(new Undone("e"))).isEqualTo(SagaOutcome.MOVED);
    assertThat(errand.timeouts("e")).containsOnlyKeys("t1");
    assertThat(errand.pass(Duration.ofMinutes(1))).isEmpty();
    assertThat(errand.done("e")).containsExactly("waiting");
    assertThat(errand.pass(HOUR)).containsExactly(SagaOutcome.ENDED);
  }

  @Test
  void timeoutOfACompensationThatDoesNotWaitIsNoAnswerOfTheNextOne() throws Exception {
    begin("waiting", "waiting");
    undoing =
        step -> {
          if (step.done().size() == 2) {
            step.timeoutAfter("t", HOUR, new Late("e"));
          } else {
            step.waitFor("the answer");
          }
        };
    moved = SagaStep::compensate;
    late = SagaStep::compensate;
    errand.receive(new Moved("e"));
    assertThat(errand.timeouts("e")).isEmpty();
    assertThat(errand.pass(HOUR)).isEmpty();
    assertThat(errand.done("e")).containsExactly("waiting");
  }

  @Test
  void messageThatIsNoAnswerLeavesTheTimeoutOfACompensation() throws Exception {
    begin("waiting");
    undoing =
        step -> {
          step.waitFor("the answer");
          step.timeoutAfter("t", HOUR, new Late("e"));
        };
    moved = SagaStep::compensate;
    late = SagaStep::compensate;
    errand.receive(new Moved("e"));
    errand.receive(new Moved("e"));
    assertThat(errand.timeouts("e")).containsOnlyKeys("t");
    assertThat(errand.pass(HOUR)).containsExactly(SagaOutcome.ENDED);
  }

  /** Nothing would undo it: the saga ends. */
  @Test
  void whatIsDoneAfterTheLastCompensationIsRefused() throws Exception {
    begin("other");
    moved =
        step -> {
          assertThat(step.compensate()).isTrue();
          step.done("waiting");
        };
    assertRefused("done(\"waiting\") after the last compensation");
    assertThat(errand.done("e")).containsExactly("other");
    moved =
        step -> {
          step.done("waiting");
          step.compensate();
        };
    undoing = step -> step.append(new Done("waiting"));
    assertThat(errand.receive(new Moved("e"))).isEqualTo(SagaOutcome.ENDED);
    assertThat(errand.outbox().events(Done.class))
        .containsExactly(new Done("waiting"), new Done("other"));
  }

  /** It is called again in one step, and by the steps of messages that are no answer. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void compensatingAgainWithoutTheAnswerChangesNothing(int callsInAStep) throws Exception {
    begin("other", "waiting");
    undoing =
        step -> {
          step.waitFor("the answer");
          step.timeoutAfter("t", HOUR, new Late("e"));
        };
    moved = step -> compensate(step, callsInAStep);
    errand.receive(new Moved("e"));
    List<Object> before = seen();
    assertThat(errand.timeouts("e")).containsOnlyKeys("t");
    for (int i = 0; i < 2; i++) {
      assertThat(errand.receive(new Moved("e"))).isEqualTo(SagaOutcome.MOVED);
      assertThat(seen()).isEqualTo(before);
    }
    late = SagaStep::compensate;
    assertThat(errand.pass(HOUR)).containsExactly(SagaOutcome.ENDED);
  }

  private static void compensate(SagaStep<Errand> step, int calls) throws Exception {
    for (int i = 0; i < calls; i++) {
      assertThat(step.compensate()).isFalse();
    }
  }

  /** Returns all that can be seen of the saga. */
  private List<Object> seen() {
    return List.of(
        errand.state("e"),
        errand.phase("e"),
        errand.timeouts("e"),
        errand.done("e"),
        errand.scheduled(),
        errand.outbox().messages());
  }

  /** Each thing that a step can do, to be undone where the step then throws. */
  static Stream<Named<Step>> deeds() {
    return Stream.of(
        Named.of("become", step -> step.become(new Errand("changed"))),
        Named.of("end", SagaStep::end),
        Named.of("append", step -> step.append(new Done("e"))),
        Named.of("done", step -> step.done("other")),
        Named.of("another time-out", step -> step.timeoutAfter("u", HOUR, new Late("e"))),
        Named.of("time-out replaced", step -> step.timeoutAfter("t", HOUR, new Late("e"))),
        Named.of("time-out cancelled", step -> step.cancelTimeout("t")),
        Named.of("compensate", SagaStep::compensate));
  }

  @ParameterizedTest
  @MethodSource("deeds")
  void stepThatThrowsLeavesEverythingAsItWas(Step deed) throws Exception {
    begin("other");
    moved = step -> step.timeoutAfter("t", HOUR, new Late("e"));
    errand.receive(new Moved("e"));
    List<Object> before = seen();
    Step thrower =
        step -> {
          deed.on(step);
          throw new IllegalStateException("fails on purpose");
        };
    moved = thrower;
    late = thrower;
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> errand.receive(new Moved("e"))).hasMessage("fails on purpose");
      assertThat(seen()).isEqualTo(before);
      assertThatThrownBy(() -> errand.pass(HOUR)).hasMessage("fails on purpose");
      assertThat(seen()).isEqualTo(before);
    }
    late = SagaStep::end;
    assertThat(errand.pass(HOUR)).containsExactly(SagaOutcome.ENDED);
  }

  @Test
  void oneMessageAnswersOneCompensation() throws Exception {
    begin("waiting", "waiting");
    undoing = step -> step.waitFor("the answer");
    moved = SagaStep::compensate;
    errand.receive(new Moved("e"));
    undone =
        step -> {
          assertThat(step.compensate()).isFalse();
          assertThat(step.compensate()).isFalse();
        };
    assertThat(errand.receive(new Undone("e"))).isEqualTo(SagaOutcome.MOVED);
    assertThat(errand.done("e")).containsExactly("waiting");
    undone = SagaStep::compensate;
    assertThat(errand.receive(new Undone("e"))).isEqualTo(SagaOutcome.ENDED);
  }

  @Test
  void whatIsDoneWhileACompensationWaitsIsUndoneAfterIt() throws Exception {
    begin("waiting");
    undoing = step -> step.waitFor("the answer");
    moved = SagaStep::compensate;
    errand.receive(new Moved("e"));
    moved = step -> step.done("other");
    errand.receive(new Moved("e"));
    assertThat(errand.phase("e")).contains(SagaPhase.COMPENSATING);
    assertThat(errand.done("e")).containsExactly("other", "waiting");
    assertThat(errand.receive(new Undone("e"))).isEqualTo(SagaOutcome.ENDED);
    assertThat(errand.outbox().events(Done.class)).containsExactly(new Done("other"));
  }

  @Test
  void compensationThatWaitsForNobodyFails() throws Exception {
    begin("speechless");
    moved = SagaStep::compensate;
    assertRefused("no message is its answer");
    assertThat(errand.phase("e")).contains(SagaPhase.RUNNING);
  }

  @Test
  void endBeforeTheCompensationsIsRefusedToo() throws Exception {
    begin("waiting");
    undoing = step -> step.waitFor("the answer");
    moved =
        step -> {
          step.end();
          step.compensate();
        };
    assertRefused("not compensated for: waiting");
  }

  @Test
  void compensationNeitherEndsTheSagaNorRunsTheOthers() throws Exception {
    begin("waiting");
    moved = SagaStep::compensate;
    undoing = SagaStep::end;
    assertRefused("not compensated for: waiting");
    undoing = SagaStep::compensate;
    assertRefused("a compensation calls compensate()");
  }
}
