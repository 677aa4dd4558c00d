// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import org.jspecify.annotations.Nullable;

/**
 * A configuration that cannot work: wrong options, schema or server. Correct it and start again;
 * nothing was written.
 */
public final class ConfigurationException extends OutledgerException {

  private static final long serialVersionUID = 1L;

  /** Creates it with a text that says what happened, to what, and what to do next. */
  public ConfigurationException(ErrorCode code, String text) {
    this(code, text, null);
  }

  /** Creates it with a cause, which may be null. */
  public ConfigurationException(ErrorCode code, String text, @Nullable Throwable cause) {
    super(code, text, cause);
  }
}
