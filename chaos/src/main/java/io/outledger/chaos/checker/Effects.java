// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.checker;

import io.outledger.chaos.history.Entry;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** Judges that each consumer has exactly one effect of each message that arrived: EFFECT. */
final class Effects {

  private final Map<String, Map<UUID, Integer>> consumers = new LinkedHashMap<>();
  private long count;

  void consumes(Entry.Consumes consumer) {
    consumers.computeIfAbsent(consumer.name(), name -> new HashMap<>());
  }

  void effect(Entry.Effect effect) {
    count++;
    consumers
        .computeIfAbsent(effect.consumer(), name -> new HashMap<>())
        .merge(effect.id(), 1, Integer::sum);
  }

  long count() {
    return count;
  }

  void judge(Trails trails, Findings findings) {
    consumers.forEach(
        (name, effects) -> {
          Map<UUID, Integer> left = new HashMap<>(effects);
          for (Trail trail : trails.all()) {
            int seen = left.getOrDefault(trail.id, 0);
            left.remove(trail.id);
            int wanted = trail.hasArrived() ? 1 : 0;
            if (seen != wanted) {
              findings.add(Verdict.EFFECT, trail, seen + " effects in " + name + ", not " + wanted);
            }
          }
          left.forEach(
              (id, seen) ->
                  findings.add(Verdict.EFFECT, id, seen + " effects of nothing in " + name));
        });
  }
}
