// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Given;
import io.outledger.store.Declaration.Takes;
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
    has = Set.copyOf(Given.check("has", has));
    replaces = Set.copyOf(Given.check("replaces", replaces));
  }

  /** Returns whether a declaration needs nothing that this instance lacks. */
  public boolean covers(Declaration declared) {
    Given.check("declared", declared);
    Declaration wide =
        declared.takes() == Takes.FILTER
            ? Declaration.filter(Takes.EVERYTHING.name())
            : Declaration.everything(declared.route());
    return has.contains(declared) || has.contains(wide);
  }

  /** Returns whether a declaration ends because this instance lacks it and replaces its route. */
  public boolean ends(Declaration declared) {
    return !covers(declared) && replaces.contains(declared.route());
  }
}
