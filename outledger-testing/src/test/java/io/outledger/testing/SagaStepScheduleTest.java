// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Delivery;
import io.outledger.Message;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a step schedules and cancels, for others and for its saga. */
class SagaStepScheduleTest extends ErrandSaga {

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
    moved = step -> step.append(new Done("now"), new Late("e"));
    assertRefused("schedule it by timeoutAfter(…)");
    moved = step -> step.outbox().append(List.of(new Late("e")));
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
}
