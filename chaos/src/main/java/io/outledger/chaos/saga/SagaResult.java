// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.saga;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a run has shown.
 *
 * @param kills who was killed
 * @param trails what is left of each order
 * @param postgresql the version of the database
 */
record SagaResult(Kills kills, List<OrderTrail> trails, String postgresql) {

  /**
   * Who was killed.
   *
   * @param processes how many processes, with sagas under way
   * @param databases how often the database, with sagas under way
   * @param idle how many kills met no saga under way, and count for nothing
   */
  record Kills(int processes, int databases, int idle) {

    Kills withProcess(int underWay) {
      return underWay == 0
          ? new Kills(processes, databases, idle + 1)
          : new Kills(processes + 1, databases, idle);
    }

    Kills withDatabase(int underWay) {
      return underWay == 0
          ? new Kills(processes, databases, idle + 1)
          : new Kills(processes, databases + 1, idle);
    }
  }

  /** Returns what is wrong; nothing where each of so many orders is as it must be. */
  List<String> wrong(int count) {
    List<String> wrong = new ArrayList<>();
    if (trails.size() != count) {
      wrong.add("there are %d orders, and must be %d".formatted(trails.size(), count));
    }
    trails.forEach(trail -> wrong.addAll(Judge.wrong(trail)));
    return wrong;
  }

  /** Returns how many orders have come to which end, and with how many messages. */
  String counts() {
    Map<String, Integer> ends = new TreeMap<>();
    int messages = 0;
    int effects = 0;
    for (OrderTrail trail : trails) {
      ends.merge(end(trail), 1, Integer::sum);
      messages += trail.messages().size();
      effects += trail.effects().size();
    }
    return "%d sagas %s, %d messages, %d effects".formatted(trails.size(), ends, messages, effects);
  }

  private static String end(OrderTrail trail) {
    Fate fate = Fate.of(trail.key());
    if (fate != Fate.RACING) {
      return fate.name().toLowerCase(Locale.ROOT);
    }
    if (trail.effects().contains("lapsed")) {
      return "time-out before the answer";
    }
    return trail.messages().contains("PaymentMissing")
        ? "time-out after the answer"
        : "answer, time-out cancelled";
  }
}
