// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.OutledgerException;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.saga.Saga;
import io.outledger.saga.SagaBuilder;
import io.outledger.saga.SagaStep;
import java.time.Duration;
import java.util.Map;

/** A saga whose steps are the test's. */
abstract class ErrandSaga {

  static final Duration HOUR = Duration.ofHours(1);

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

  static final Step NOTHING = step -> {};

  Step begun = step -> step.become(new Errand("begun"));
  Step moved = NOTHING;
  Step undone = SagaStep::compensate;
  Step late = NOTHING;
  Step undoing = NOTHING;

  final SagaScenario<Errand> errand = SagaScenario.of(saga(), events());

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

  final void begin(String... done) throws Exception {
    begun =
        step -> {
          step.become(new Errand("begun"));
          for (String each : done) {
            step.done(each);
          }
        };
    errand.receive(new Begun("e"));
  }

  final void assertRefused(String why) {
    assertThatThrownBy(() -> errand.receive(new Moved("e")))
        .isInstanceOfSatisfying(
            OutledgerException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_SAGA))
        .hasMessageContaining(why);
  }
}
