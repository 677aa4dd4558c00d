// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import io.outledger.Message;

/**
 * Knows by which schema the payload of a message was written, so that it can leave in the wire
 * format. A serializer brings it. Thread-safe; it does no I/O.
 */
@FunctionalInterface
public interface PayloadSchemas {

  /**
   * Returns what is known of a message's payload.
   *
   * @param message as it is in the ledger
   */
  WirePayload of(Message message);
}
