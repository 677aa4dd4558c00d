// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.testing.InMemoryLedger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * All that there is in a run of a divided subscription: writers, processes that share its
 * partitions, and an operator who wants another number of them. The relays, who may have how many,
 * and what follows for the new partitions are the shipped ones; the rows are a model.
 */
final class DividedWorld {

  private static final int DEPTH_MAX = 2;

  private final Choices choices;
  private final SimulatedTime time;
  private final Teller teller;
  private final Happenings happenings = new Happenings();
  private final Planted planted;
  private final DividedPlan plan;
  private final InMemoryLedger ledger;
  private final Journal journal;
  private final DividedCursors cursors;
  private final DividedOperator operator;
  private final DividedWriters writers;
  private final DividedStatuses statuses;
  private final NestedTurns others;
  private final List<DividedProcess> processes = new ArrayList<>();
  private boolean hasFaults = true;
  private boolean isEnding;

  DividedWorld(Choices choices, SimulatedTime time, Teller teller, Planted planted) {
    this.choices = choices;
    this.time = time;
    this.teller = teller;
    this.planted = planted;
    plan = new DividedPlan(choices);
    ledger = new InMemoryLedger(time.database());
    journal = new Journal(DividedCursors.SUBSCRIPTION, teller);
    cursors = new DividedCursors(this);
    operator = new DividedOperator(this, planted);
    writers = new DividedWriters(this);
    statuses = new DividedStatuses(time.database());
    others = new NestedTurns(time, DEPTH_MAX, this::act);
    for (int number = 1; number <= plan.processes; number++) {
      processes.add(new DividedProcess(this, "process-" + number));
    }
  }

  Choices choices() {
    return choices;
  }

  DividedPlan plan() {
    return plan;
  }

  Planted planted() {
    return planted;
  }

  SimulatedTime time() {
    return time;
  }

  InMemoryLedger ledger() {
    return ledger;
  }

  Journal journal() {
    return journal;
  }

  DividedCursors cursors() {
    return cursors;
  }

  DividedOperator operator() {
    return operator;
  }

  DividedWriters writers() {
    return writers;
  }

  DividedStatuses statuses() {
    return statuses;
  }

  List<DividedProcess> processes() {
    return processes;
  }

  Happenings happenings() {
    return happenings;
  }

  boolean hasFaults() {
    return hasFaults;
  }

  /** Returns whether no process is to be started any more. */
  boolean isEnding() {
    return isEnding;
  }

  void note(Happening happening) {
    happenings.note(happening);
  }

  void tell(Object who, Supplier<String> what) {
    teller.tell(who, what);
  }

  /** Somebody takes a turn. */
  void act() {
    int turn = choices.between(1, 100);
    if (turn <= 15) {
      writers.act();
    } else if (turn <= 60) {
      choices.pick(processes).act();
    } else if (turn <= 85) {
      choices.pick(processes).network();
    } else if (turn <= 94) {
      time.pass(choices.millis(0, choices.chance(0.1) ? 200 : 10));
    } else if (turn <= 98) {
      operator.act();
    } else if (hasFaults) {
      choices.pick(processes).trouble();
    }
  }

  /** Lets others take turns while somebody is in the middle of something. */
  void interleave() {
    if (hasFaults && others.mayBegin() && choices.chance(plan.interleaved)) {
      others.take(choices.between(1, 6));
    }
  }

  NestedTurns others() {
    return others;
  }

  /** Ends all faults: whatever is open ends, and the processes have the number that there is. */
  void endFaults() {
    hasFaults = false;
    tell("world", () -> "all faults are over");
    writers.finish();
    operator.wantsNothingMore();
    processes.forEach(DividedProcess::heal);
  }

  void stopProcesses() {
    isEnding = true;
    processes.forEach(DividedProcess::stop);
  }
}
