// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.store.Declaration;
import io.outledger.store.Declarations;
import java.util.Set;

/**
 * What is declared of a subscription or a consumer, and what was until lately.
 *
 * @param current what is declared
 * @param ended what was ended within the time that was asked for, and not declared again
 */
public record ShownDeclarations(Declarations current, Set<Declaration> ended) {

  /** Nothing was ever declared. */
  public static final ShownDeclarations NONE = new ShownDeclarations(Declarations.NONE, Set.of());

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public ShownDeclarations {
    Require.nonNull("current", current);
    ended = Set.copyOf(Require.nonNull("ended", ended));
  }
}
