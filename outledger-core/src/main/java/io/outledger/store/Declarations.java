// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Given;
import java.util.Map;

/**
 * What is declared of a subscription or a consumer, as one snapshot shows it.
 *
 * @param revision grows by one with each change; 0 where nothing was ever declared. A snapshot that
 *     shows a revision shows all changes up to it
 * @param current what holds now, each with the revision at which it was declared last
 */
public record Declarations(long revision, Map<Declaration, Long> current) {

  /** Nothing was ever declared. */
  public static final Declarations NONE = new Declarations(0, Map.of());

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public Declarations {
    current = Map.copyOf(Given.check("current", current));
  }
}
