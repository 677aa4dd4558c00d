// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.Problems;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The upcasts of one type: from which versions its payloads can be read, and by which steps.
 * Immutable.
 *
 * @param version the type's own version, to which all steps must lead
 * @param steps between versions of the type
 * @param splits from versions of types that were split
 */
record Upcasts(int version, List<Upcast<?>> steps, List<Upcast<?>> splits) {

  /** Adds what is wrong with them. */
  void check(String event, Set<String> names, Problems problems) {
    for (Upcast<?> step : steps) {
      checkVersions(event, step, problems);
      if (steps.stream().filter(each -> each.from() == step.from()).count() > 1) {
        problems.add(event + ": two upcasts start from version " + step.from() + "; leave one");
        return;
      }
    }
    for (Upcast<?> split : splits) {
      checkVersions(event, split, problems);
      if (names.contains(split.splitName())) {
        problems.add(
            event
                + ": the "
                + split
                + " is of its own name or former name; use upcast(…), which needs no choice");
      }
    }
    if (all().stream().map(Upcast::tree).distinct().count() > 1) {
      problems.add(event + ": its upcasts work on different classes of trees; use one");
    }
  }

  private void checkVersions(String event, Upcast<?> upcast, Problems problems) {
    if (upcast.from() < 1) {
      problems.add(event + ": the " + upcast + " must start from 1 or more");
    }
    if (upcast.splitName() == null && upcast.to() <= upcast.from()) {
      problems.add(event + ": the " + upcast + " must lead to a higher version");
    } else if (upcast.to() > version) {
      problems.add(event + ": the " + upcast + " leads beyond the type's version " + version);
    } else if (upcast.to() < version && stepFrom(upcast.to()) == null) {
      problems.add(
          event
              + ": the "
              + upcast
              + " leads to version "
              + upcast.to()
              + ", from which none leads to "
              + version
              + "; add upcast("
              + upcast.to()
              + ", "
              + version
              + ", …)");
    }
  }

  List<Upcast<?>> all() {
    List<Upcast<?>> all = new ArrayList<>(steps);
    all.addAll(splits);
    return all;
  }

  /**
   * Returns what is read, each with its steps. Only of what {@link #check} finds nothing wrong
   * with.
   *
   * @param names the type's name and its former ones
   */
  Map<TypeVersion, List<Upcast<?>>> readings(Set<String> names) {
    Map<TypeVersion, List<Upcast<?>>> readings = new TreeMap<>();
    for (String name : names) {
      readings.put(new TypeVersion(name, version), List.of());
      for (Upcast<?> step : steps) {
        readings.put(new TypeVersion(name, step.from()), chain(step));
      }
    }
    for (Upcast<?> split : splits) {
      readings.put(new TypeVersion(String.valueOf(split.splitName()), split.from()), chain(split));
    }
    return readings;
  }

  private List<Upcast<?>> chain(Upcast<?> first) {
    List<Upcast<?>> chain = new ArrayList<>();
    for (Upcast<?> step = first; step != null; step = stepFrom(step.to())) {
      chain.add(step);
    }
    return List.copyOf(chain);
  }

  private @Nullable Upcast<?> stepFrom(int from) {
    return steps.stream().filter(each -> each.from() == from).findFirst().orElse(null);
  }
}
