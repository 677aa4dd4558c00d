// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DemoKillsTest {

  private static final DemoKills.Pace QUICK = new DemoKills.Pace(1, 1, 5);

  private final List<String> told = new ArrayList<>();

  @Test
  void everybodyIsKilledOnceBeforeAnybodyIsKilledTwice() throws Exception {
    List<String> killed = run(5, 1);

    assertThat(killed.subList(0, 3)).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(killed).hasSize(5);
  }

  @Test
  void theSeedDecidesWhoIsKilled() throws Exception {
    assertThat(run(6, 4)).isEqualTo(run(6, 4));
  }

  @Test
  void nobodyIsKilledWhoHasNothingInFlight() throws Exception {
    DemoKills kills =
        new DemoKills(
            List.of(new FakeRole("idle", 0)), 1, new SplittableRandom(1), QUICK, new Told());

    kills.run();

    assertThat(kills.done()).isEmpty();
    assertThat(told).containsExactly("idle was idle");
  }

  private List<String> run(int count, long seed) throws InterruptedException {
    List<Role> roles = Stream.of("a", "b", "c").<Role>map(name -> new FakeRole(name, 3)).toList();
    DemoKills kills = new DemoKills(roles, count, new SplittableRandom(seed), QUICK, new Told());
    kills.run();
    assertThat(kills.left()).isZero();
    return kills.done().stream().map(Kill::role).toList();
  }

  private final class Told implements DemoKills.Story {
    @Override
    public long elapsedMs() {
      return 0;
    }

    @Override
    public void killed(Role role, Kill kill) {
      told.add(role.name() + " was killed");
    }

    @Override
    public void back(Kill kill) {
      told.add(kill.role() + " is back");
    }

    @Override
    public void idle(Role role) {
      told.add(role.name() + " was idle");
    }
  }

  private record FakeRole(String name, long inFlight) implements Role {
    @Override
    public long pid() {
      return 1;
    }

    @Override
    public String inFlightText(long count) {
      return Words.count(count, "thing");
    }

    @Override
    public List<Ledger> interrupts() {
      return List.of();
    }

    @Override
    public void kill() {}

    @Override
    public void restart() {}
  }
}
