// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import io.outledger.ErrorCode;
import io.outledger.OutledgerException;

/** A schema that was not known yet, and is being fetched: the message is parked for a moment. */
final class SchemaNotFetchedException extends OutledgerException {

  private static final long serialVersionUID = 1L;

  SchemaNotFetchedException(String text) {
    super(ErrorCode.SCHEMA_PENDING, text, null);
  }
}
