// SPDX-License-Identifier: Apache-2.0
package io.outledger.publish;

import io.outledger.ErrorCode;
import io.outledger.OutledgerException;
import org.jspecify.annotations.Nullable;

/** A destination that cannot be reached now. The relay backs off and tries again by itself. */
public final class DestinationUnavailableException extends OutledgerException {

  private static final long serialVersionUID = 1L;

  /** Creates it with a text that names the destination, without secrets. */
  public DestinationUnavailableException(String text, @Nullable Throwable cause) {
    super(ErrorCode.DESTINATION_UNAVAILABLE, text, cause);
  }
}
