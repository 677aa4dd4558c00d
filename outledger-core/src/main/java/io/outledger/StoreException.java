// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import org.jspecify.annotations.Nullable;

/**
 * The database failed or could not be reached. The transaction's outcome is unknown if it was being
 * committed; trying again is safe for a relay and an inbox.
 */
public final class StoreException extends OutledgerException {

  private static final long serialVersionUID = 1L;

  /** Creates it with a text that says what happened, to what, and what to do next. */
  public StoreException(ErrorCode code, String text) {
    this(code, text, null);
  }

  /** Creates it with a cause, which may be null. */
  public StoreException(ErrorCode code, String text, @Nullable Throwable cause) {
    super(code, text, cause);
  }
}
