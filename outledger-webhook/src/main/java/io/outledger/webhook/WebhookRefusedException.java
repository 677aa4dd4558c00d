// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import io.outledger.ErrorCode;
import io.outledger.OutledgerException;

/** A request that a {@link WebhookReader} does not accept. Nothing of it was processed. */
public final class WebhookRefusedException extends OutledgerException {

  private static final long serialVersionUID = 1L;

  private final int status;

  WebhookRefusedException(int status, String text) {
    super(ErrorCode.INVALID_MESSAGE, text, null);
    this.status = status;
  }

  /**
   * Returns the HTTP status to answer with: 401 where the signature is missing, wrong or too old,
   * 413 where the body is too large, 400 for what cannot be read.
   */
  public int status() {
    return status;
  }
}
