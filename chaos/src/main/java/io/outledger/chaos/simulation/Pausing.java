// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.store.PauseScope;
import java.util.Comparator;
import java.util.List;

/** A person who pauses parts of a subscription, and lets them go on. */
final class Pausing {

  private static final long PAUSES = 0x7061_7573_6573L;

  private final World world;
  private final SimulatedSubscription subscription;
  private final Choices choices;

  Pausing(World world, SimulatedSubscription subscription) {
    this.world = world;
    this.subscription = subscription;
    this.choices = world.choices().overflow(PAUSES ^ subscription.terms().name.hashCode());
  }

  void act() {
    List<PauseScope> paused = paused();
    if (!paused.isEmpty() && choices.chance(0.6)) {
      resume(choices.pick(paused));
    } else {
      pause(some());
    }
  }

  /** Nothing is to be paused at the end of a run. */
  void endAll() {
    paused().forEach(this::resume);
  }

  private void pause(PauseScope scope) {
    world.note(Happening.PAUSE_BEGAN);
    world.tell("operator", () -> "pauses " + scope + " of " + subscription.terms().name);
    subscription.inLedger().pause(scope, "operator", "the simulation");
  }

  private void resume(PauseScope scope) {
    world.note(Happening.PAUSE_ENDED);
    world.tell("operator", () -> "resumes " + scope + " of " + subscription.terms().name);
    subscription.inLedger().resume(scope);
  }

  /** Asks the database, which may have lost what was asked of it. */
  private List<PauseScope> paused() {
    return subscription.inLedger().pauses().current().keySet().stream()
        .sorted(Comparator.comparing(PauseScope::toString))
        .toList();
  }

  private PauseScope some() {
    return switch (choices.between(0, 3)) {
      case 0 -> PauseScope.subscription();
      case 1 -> PauseScope.route(choices.pick(subscription.terms().routes));
      case 2 -> PauseScope.topic(choices.pick(Writers.TOPICS));
      default -> PauseScope.key("k" + choices.between(1, world.plan().keys));
    };
  }
}
