// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** The causes of a failure, which may lead in a circle. */
public final class Causes {

  private Causes() {}

  /**
   * Returns a failure and its causes, the failure itself first and its root cause last. Causes that
   * lead in a circle are returned once each.
   *
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public static List<Throwable> of(Throwable failure) {
    List<Throwable> all = new ArrayList<>();
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Throwable next = Require.nonNull("failure", failure);
    while (next != null && seen.add(next)) {
      all.add(next);
      next = next.getCause();
    }
    return List.copyOf(all);
  }

  /**
   * Returns the root cause of a failure, which is the failure itself if it has no cause; in a
   * circle, the last cause before it closes.
   *
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public static Throwable root(Throwable failure) {
    List<Throwable> all = of(failure);
    return all.get(all.size() - 1);
  }
}
