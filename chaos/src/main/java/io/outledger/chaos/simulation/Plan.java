// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * What one seed's run is like. Each kind of trouble is absent, rare or frequent, so that runs
 * differ in character and not only in detail.
 */
final class Plan {

  static final String NOISE = "noise";

  private static final long BACKLOGS = 0x7069_6563_6573L;
  private static final long GATE = 0x6761_7465L;

  private static final List<String> NAMES = List.of("shop", "audit", "search");

  final int messages;
  final int keys;
  final int openTransactionsMax;

  /** Leases are short or long, and so is the time that passes. */
  final int waitMillisMax;

  /** The subscriptions of the start. */
  final List<Terms> subscriptions = new ArrayList<>();

  /** One more, which is made while everything is under way. */
  final Terms late;

  final boolean hasLate;

  /**
   * Whether the database tells who writes only beside a poll and not in its snapshot, as one does
   * whose proof is a table's locks.
   */
  final boolean looksBeforePolls;

  /**
   * Whether the database tells nothing of writers, frees their locks when they prepare, and draws
   * numbers again after a restart, as InnoDB does.
   */
  final boolean hasGate;

  /** At each call of a relay to its store or publisher. */
  final double crash;

  final double storeFails;
  final double replyLost;
  final double interleaved;
  final double frozenInCall;

  /** At each turn. */
  final double frozen;

  final double serverSwitched;
  final double tailLost;
  final double brokerTurns;
  final double clockJumps;
  final double stopped;
  final double purged;
  final double movedBack;
  final double paused;
  final double replayJobs;
  final double purgedByHand;
  final double deleted;
  final double backlogs;

  /** Of each start: with some of the routes, as an older or newer version has them. */
  final double rolledOut;

  /** Of each message or commit. */
  final double rejected;

  final double ackLost;
  final double rolledBack;
  final double commitUnknown;

  Plan(Choices choices) {
    boolean isLong = choices.chance(0.1);
    waitMillisMax = isLong ? 5000 : 200;
    int count = choices.pick(List.of(1, 1, 1, 2, 2, 3));
    for (String name : NAMES.subList(0, count)) {
      subscriptions.add(new Terms(name, isLong, choices));
    }
    late = new Terms("late", isLong, choices);
    hasLate = choices.chance(0.3);
    messages = choices.between(100, 300) / count;
    keys = choices.between(1, 12);
    openTransactionsMax = choices.between(1, 6);
    looksBeforePolls = !hasBacklogs(choices) && choices.overflow(0x6c6f6f6b73L).chance(0.3);
    hasGate = !looksBeforePolls && choices.overflow(GATE).chance(0.3);
    crash = level(choices, 0.001, 0.005);
    storeFails = level(choices, 0.003, 0.02);
    replyLost = level(choices, 0.003, 0.02);
    interleaved = level(choices, 0.05, 0.3);
    frozenInCall = level(choices, 0.001, 0.005);
    frozen = level(choices, 0.0005, 0.003);
    serverSwitched = level(choices, 0.0005, 0.005);
    tailLost = choices.chance(0.3) ? 0.005 : 0;
    brokerTurns = level(choices, 0.002, 0.01);
    clockJumps = level(choices, 0.0005, 0.002);
    stopped = level(choices, 0.001, 0.005);
    purged = level(choices, 0.05, 0.5);
    movedBack = level(choices.overflow(0x706c61796564L), 0.005, 0.02);
    paused = level(choices.overflow(0x70617573656473L), 0.01, 0.04);
    replayJobs = level(choices.overflow(0x636f70696573L), 0.004, 0.01);
    purgedByHand = level(choices.overflow(0x7075726765L), 0.001, 0.004);
    deleted = level(choices.overflow(0x64656c657465L), 0.004, 0.01);
    rolledOut = level(choices.overflow(0x726f6c6cL), 0.2, 0.7);
    backlogs = hasBacklogs(choices) ? 0.001 : 0;
    rejected = level(choices, 0.01, 0.2);
    ackLost = level(choices, 0.003, 0.02);
    rolledBack = level(choices, 0.05, 0.3);
    commitUnknown = level(choices, 0.01, 0.1);
  }

  /** Returns whether owners die with much that they have read, and successors read it in pieces. */
  static boolean hasBacklogs(Choices choices) {
    return choices.overflow(BACKLOGS).chance(0.3);
  }

  private static double level(Choices choices, double rare, double frequent) {
    return switch (choices.between(0, 3)) {
      case 0 -> 0;
      case 3 -> frequent;
      default -> rare;
    };
  }
}
