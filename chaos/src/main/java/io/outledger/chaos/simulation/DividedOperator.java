// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

/**
 * A person who asks for another number of partitions, and gives it to one process after the other.
 * Any process carries the request out, a step a transaction, and may be killed before it or after.
 */
final class DividedOperator {

  private static final double ASKS = 0.05;
  private static final double CALLS_OFF = 0.02;

  private final DividedWorld world;
  private final Planted planted;
  private int wanted;
  private boolean isAsked;
  private boolean wantsNothingMore;

  DividedOperator(DividedWorld world, Planted planted) {
    this.world = world;
    this.planted = planted;
    this.wanted = world.plan().partitions;
  }

  /** Returns with how many partitions a process is configured that starts now. */
  int configured() {
    return wanted;
  }

  boolean isDone() {
    return !isAsked;
  }

  /** Takes a turn. */
  void act() {
    Choices choices = world.choices();
    if (isAsked) {
      if (!wantsNothingMore && choices.chance(CALLS_OFF)) {
        callOff();
      } else {
        world.processes().stream()
            .filter(DividedProcess::isAtWork)
            .skip(choices.between(0, world.processes().size() - 1))
            .findFirst()
            .ifPresent(process -> process.carriesOut(this::step));
      }
    } else if (!wantsNothingMore && choices.chance(ASKS)) {
      wanted = DividedPlan.number(choices);
      isAsked = wanted != world.cursors().count();
      world.tell("operator", () -> "wants " + wanted + " partitions");
    }
  }

  private void step() {
    if (isAsked && world.cursors().divide(wanted, planted)) {
      isAsked = false;
      wanted = world.cursors().count();
    }
  }

  private void callOff() {
    world.tell("operator", () -> "calls the division off");
    world.note(Happening.DIVISION_CALLED_OFF);
    world.cursors().forgetDivision();
    wanted = world.cursors().count();
    isAsked = false;
  }

  /** What was asked for is carried out, and nothing more is asked for. */
  void wantsNothingMore() {
    wantsNothingMore = true;
  }
}
