// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import java.util.List;

/**
 * Settings of a session by which a statement of ours could mean something else, end early or fail,
 * as the initial SQL of a pool, a role or a server may have them. Immutable.
 *
 * @param statements set a session so, one after the other; nothing that our transactions rely on is
 *     left at its default
 * @param shown a query, of one row and one text, that shows what the session is set to
 */
public record HostileSettings(List<String> statements, String shown) {

  /** Keeps the statements as they are now. */
  public HostileSettings {
    statements = List.copyOf(statements);
  }
}
