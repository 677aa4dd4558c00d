// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import org.jspecify.annotations.Nullable;

/**
 * The root of all exceptions of Outledger. Each subtype stands for one decision of the caller:
 * correct the input ({@link InvalidMessageException}), correct the configuration ({@link
 * ConfigurationException}) or retry later ({@link StoreException}).
 */
public abstract class OutledgerException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  /**
   * Creates the exception. Its message is the code followed by the text, which is made {@linkplain
   * Printable#text printable} because it may contain ids and server messages.
   */
  protected OutledgerException(ErrorCode code, String text, @Nullable Throwable cause) {
    super(code.code() + " " + Printable.text(text), cause);
    this.code = code;
  }

  /** Creates one of another type that says the same, at the same place. */
  OutledgerException(OutledgerException same) {
    super(same.getMessage(), same.getCause());
    this.code = same.code;
    setStackTrace(same.getStackTrace());
  }

  /** Returns the stable code, which {@code docs/errors.md} explains. */
  public final ErrorCode code() {
    return code;
  }
}
