// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.Require;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one call has found, and where the next one goes on. A call looks at a bounded number of rows
 * and bytes, so it may return few rows, or none, though there are more.
 *
 * @param rows what was found, in order
 * @param next where to go on; null if everything was looked at
 * @param <T> what is listed
 * @param <P> a place in the list
 */
public record Listing<T, P>(List<T> rows, @Nullable P next) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public Listing {
    rows = List.copyOf(Require.nonNull("rows", rows));
  }

  /** Returns whether a further call may find more. */
  public boolean isMore() {
    return next != null;
  }
}
