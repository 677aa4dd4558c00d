// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.Message;
import io.outledger.Require;
import io.outledger.inbox.Received;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A payload that is to be read, with what its message says of it.
 *
 * @param name the type's name and version
 * @param mediaType as the header says; null where there is none
 * @param bytes the payload
 */
record StoredPayload(
    TypeVersion name,
    @Nullable String mediaType,
    @SuppressWarnings("ArrayRecordComponent") byte[] bytes) {

  static StoredPayload of(Message message) {
    Require.nonNull("message", message);
    return of(message.type(), message.version(), message.headers(), message.payload());
  }

  static StoredPayload of(Received message) {
    Require.nonNull("message", message);
    return of(message.type(), message.version(), message.headers(), message.payload());
  }

  /** Returns one of which nothing is known but its type. */
  static StoredPayload of(String type, int version, byte[] payload) {
    return of(type, version, Map.of(), Require.nonNull("payload", payload));
  }

  private static StoredPayload of(
      String type, int version, Map<String, String> headers, byte[] payload) {
    return new StoredPayload(
        new TypeVersion(type, version), headers.get(Events.CONTENT_TYPE), payload);
  }
}
