// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Require;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is paused of a subscription, as one snapshot shows it.
 *
 * @param revision grows with each change; 0 where nothing was ever paused. A snapshot that shows a
 *     revision shows all changes up to it
 * @param current what is paused now
 * @param division into how many partitions the subscription is being divided; null where it is not
 */
public record Pauses(long revision, Map<PauseScope, Paused> current, @Nullable Division division) {

  /** Nothing was ever paused. */
  public static final Pauses NONE = new Pauses(0, Map.of());

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public Pauses {
    current = Map.copyOf(Require.nonNull("current", current));
  }

  /** Returns the names of what is paused of one kind. */
  public Set<String> names(PauseScope.Kind kind) {
    Require.nonNull("kind", kind);
    return current.keySet().stream()
        .filter(scope -> scope.kind() == kind)
        .map(PauseScope::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Makes those of a subscription whose partitions stay as they are. */
  public Pauses(long revision, Map<PauseScope, Paused> current) {
    this(revision, current, null);
  }
}
