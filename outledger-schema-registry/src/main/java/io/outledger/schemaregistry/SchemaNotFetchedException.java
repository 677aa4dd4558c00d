// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import io.outledger.ErrorCode;
import io.outledger.OutledgerException;

/**
 * {@code OUT-038}: a payload's schema is not known yet, and is being fetched. The message is parked
 * and tried again, which counts no attempt.
 */
public final class SchemaNotFetchedException extends OutledgerException {

  private static final long serialVersionUID = 1L;

  SchemaNotFetchedException(String text) {
    super(ErrorCode.SCHEMA_PENDING, text, null);
  }
}
