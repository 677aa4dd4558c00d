// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import org.jspecify.annotations.Nullable;

/**
 * The root of all exceptions of Outledger. The subtypes are the decisions that a caller can take:
 * mend the input ({@link InvalidMessageException}), mend the set-up ({@link
 * ConfigurationException}) or try again later ({@link StoreException}).
 */
public abstract class OutledgerException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  /**
   * Creates it; the code is put before the text, which is made {@linkplain Printable#text
   * printable}: it may name ids and quote servers.
   */
  protected OutledgerException(ErrorCode code, String text, @Nullable Throwable cause) {
    super(code.code() + " " + Printable.text(text), cause);
    this.code = code;
  }

  /** Returns the stable code, which {@code docs/errors.md} explains. */
  public final ErrorCode code() {
    return code;
  }
}
