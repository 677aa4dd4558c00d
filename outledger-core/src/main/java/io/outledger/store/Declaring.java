// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Require;
import io.outledger.store.Declaration.Takes;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What an instance declares of a subscription or a consumer.
 *
 * @param has what it has; declared where it is not, else left as it is
 * @param replaces routes of which everything that it does not have ends: it replaces them
 */
public record Declaring(Set<Declaration> has, Set<String> replaces) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public Declaring {
    has = Set.copyOf(Require.nonNull("has", has));
    replaces = Set.copyOf(Require.nonNull("replaces", replaces));
  }

  /** Returns whether a declaration needs nothing that this instance lacks. */
  public boolean covers(Declaration declared) {
    Require.nonNull("declared", declared);
    Declaration wide =
        declared.takes() == Takes.FILTER
            ? Declaration.filter(Takes.EVERYTHING.name())
            : Declaration.everything(declared.route());
    return has.contains(declared) || has.contains(wide);
  }

  /** Returns what this instance has and is not declared now: somebody has ended it. */
  public Set<Declaration> endedIn(Declarations declared) {
    Set<Declaration> ended = new LinkedHashSet<>(has);
    ended.removeAll(Require.nonNull("declared", declared).current().keySet());
    return ended;
  }

  /** Returns the same, replacing nothing: what an instance that goes on declares again. */
  public Declaring again() {
    return new Declaring(has, Set.of());
  }

  /** Returns whether a declaration ends because this instance lacks it and replaces its route. */
  public boolean ends(Declaration declared) {
    return !covers(declared) && replaces.contains(declared.route());
  }
}
