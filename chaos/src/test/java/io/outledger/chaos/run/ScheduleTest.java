// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.chaos.fault.Fault;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScheduleTest {

  private static final Duration LONG = Duration.ofDays(1);
  private static final Set<Fault> ALL = EnumSet.allOf(Fault.class);

  @Test
  void theSameSeedGivesTheSameFaults() {
    assertThat(faults(Schedule.during(7, LONG, ALL)))
        .isEqualTo(faults(Schedule.during(7, LONG, ALL)));
    assertThat(faults(Schedule.during(7, LONG, ALL)))
        .isNotEqualTo(faults(Schedule.during(8, LONG, ALL)));
  }

  @Test
  void everyFaultComesOnceBeforeAnyComesTwice() {
    List<Fault> faults = faults(Schedule.during(7, LONG, ALL));

    assertThat(faults.subList(0, ALL.size())).containsExactlyInAnyOrderElementsOf(ALL);
  }

  @Test
  void onlyWhatWasChosenComes() {
    Set<Fault> chosen = EnumSet.of(Fault.OWNER_STOPPED, Fault.BROKER_KILLED);

    assertThat(faults(Schedule.during(7, LONG, chosen))).hasSameElementsAs(chosen);
  }

  @Test
  void itEndsWhenTheTimeIsOver() {
    Schedule schedule = Schedule.during(7, Duration.ZERO, ALL);

    assertThat(schedule.hasNext()).isFalse();
    assertThat(schedule.next()).isNotNull(); // it may end between the question and this
  }

  @Test
  void aCountedScheduleHasSoManyOfEach() {
    Schedule schedule = Schedule.of(7, Map.of(Fault.OWNER_STOPPED, 2, Fault.BROKER_KILLED, 1));

    assertThat(IntStream.range(0, 3).mapToObj(i -> schedule.next()))
        .containsExactlyInAnyOrder(Fault.OWNER_STOPPED, Fault.OWNER_STOPPED, Fault.BROKER_KILLED);
    assertThat(schedule.hasNext()).isFalse();
  }

  private static List<Fault> faults(Schedule schedule) {
    return IntStream.range(0, 200).mapToObj(i -> schedule.next()).toList();
  }
}
