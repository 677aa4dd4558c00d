// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Delivery;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.saga.Saga;
import io.outledger.saga.SagaBuilder;
import io.outledger.saga.SagaOutcome;
import io.outledger.saga.SagaPhase;
import io.outledger.saga.SagaStep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What one step may do, of a saga whose steps are the test's. */
class SagaStepTest {

  private static final Duration HOUR = Duration.ofHours(1);

  record Begun(String text) implements TextEvents {}

  record Moved(String text) implements TextEvents {}

  record Undone(String text) implements TextEvents {}

  record Late(String text) implements TextEvents {}

  record Done(String text) implements TextEvents {}

  record Errand(String text) implements TextEvents {}

  /** What the test has the next step do. */
  interface Step {
    void on(SagaStep<Errand> step) throws Exception;
  }

  private static final Step NOTHING = step -> {};

  private Step begun = step -> step.become(new Errand("begun"));
  private Step moved = NOTHING;
  private Step undone = SagaStep::compensate;
  private Step late = NOTHING;
  private Step undoing = NOTHING;

  private final SagaScenario<Errand> errand = SagaScenario.of(saga(), events());

  private Saga<Errand> saga() {
    return this::define;
  }

  private void define(SagaBuilder<Errand> saga) {
    saga.name("errand")
        .state(Errand.class, t -> t.name("errand.state"))
        .startedBy(Begun.class, Begun::text, (event, step) -> begun.on(step))
        .on(Moved.class, Moved::text, (event, step) -> moved.on(step))
        .on(Undone.class, Undone::text, (event, step) -> undone.on(step))
        .onTimeout(Late.class, (event, step) -> late.on(step))
        .compensation("waiting", step -> undoing.on(step), Undone.class, Late.class)
        .compensation("other", step -> step.append(new Done("other")), Undone.class)
        .compensation("speechless", step -> step.waitFor("nobody"));
  }

  private static Events events() {
    EventTypes.Builder types = EventTypes.builder();
    add(types, Begun.class);
    add(types, Moved.class);
    add(types, Undone.class);
    add(types, Late.class);
    add(types, Done.class);
    return Events.builder()
        .types(types)
        .serializer(
            new TextEvents.Serializer(
                Map.of(
                    Begun.class, Begun::new,
                    Moved.class, Moved::new,
                    Undone.class, Undone::new,
                    Late.class, Late::new,
                    Done.class, Done::new,
                    Errand.class, Errand::new)))
        .build();
  }

  private static <E extends TextEvents> void add(EventTypes.Builder types, Class<E> type) {
    types.register(type, t -> t.name(type.getSimpleName()).topic("errands").key(TextEvents::text));
  }

  private void begin(String... done) throws Exception {
    begun =
        step -> {
          step.become(new Errand("begun"));
          for (String each : done) {
            step.done(each);
          }
        };
    errand.receive(new Begun("e"));
  }

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

  @Test
  void schedulesForOthersAndCancels() throws Exception {
    begin();
    moved =
        step -> {
          step.append(new Done("later"), Delivery.after(HOUR));
          step.append(new Done("never"), Delivery.after(HOUR).named("reminder-" + step.key()));
        };
    errand.receive(new Moved("e"));
    moved = step -> assertThat(step.cancel("reminder-" + step.key())).isTrue();
    errand.receive(new Moved("e"));
    assertThat(errand.scheduled()).isEmpty();
    errand.pass(HOUR.minusMillis(1));
    assertThat(errand.outbox().events(Done.class)).isEmpty();
    errand.pass(Duration.ofMillis(1));
    assertThat(errand.outbox().events(Done.class)).containsExactly(new Done("later"));
  }

  @Test
  void whatHasBecomeDueCannotBeCancelled() throws Exception {
    begin();
    moved = step -> step.append(new Done("due"), Delivery.after(HOUR).named("reminder"));
    errand.receive(new Moved("e"));
    errand.pass(HOUR);
    moved =
        step -> {
          assertThat(step.cancel("reminder")).isFalse();
          step.append(new Done("next"), Delivery.after(HOUR).named("reminder"));
        };
    errand.receive(new Moved("e"));
    assertThat(errand.outbox().events(Done.class)).containsExactly(new Done("due"));
  }

  @Test
  void timeoutIsScheduledAsOne() throws Exception {
    begin();
    moved = step -> step.append(new Late("e"), Delivery.after(HOUR));
    assertRefused("schedule it by timeoutAfter(…)");
  }

  @Test
  void messageOfOnesOwnIsNoTimeoutThoughItHasTheHeadersOfOne() throws Exception {
    begun =
        step -> {
          step.become(new Errand("begun"));
          step.timeoutAfter("late", HOUR, new Late("e"));
        };
    errand.receive(new Begun("e"));
    Message timeout = errand.scheduled().get(0);
    Message own = timeout.copy().id(UUID.randomUUID()).build();
    moved = step -> step.append(own, Delivery.after(HOUR));
    errand.receive(new Moved("e"));
    assertThat(errand.scheduled()).containsExactly(timeout);
    assertThat(errand.outbox().scheduled()).hasSize(1);
  }

  @Test
  void schedulesNothingWhereItFails() throws Exception {
    begin();
    moved =
        step -> {
          step.append(new Done("never"), Delivery.after(HOUR));
          throw new IllegalStateException("not today");
        };
    assertThatThrownBy(() -> errand.receive(new Moved("e"))).hasMessage("not today");
    errand.pass(HOUR);
    assertThat(errand.outbox().events(Done.class)).isEmpty();
  }

  private void assertRefused(String why) {
    assertThatThrownBy(() -> errand.receive(new Moved("e")))
        .isInstanceOfSatisfying(
            OutledgerException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_SAGA))
        .hasMessageContaining(why);
  }
}
