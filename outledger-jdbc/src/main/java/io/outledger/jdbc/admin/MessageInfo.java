// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an operator sees of a message, in the ledger or parked.
 *
 * @param id its id; a received message's need not be a UUID
 * @param source where a received message came from; empty for one of the ledger
 * @param topic its topic
 * @param key its ordering key; null if it has none
 * @param keySpace the topic, queue or stream that a received message's key is one of; empty for one
 *     of the ledger
 * @param type its type's name
 * @param version its type's version
 * @param time when it was created; null if a received message does not say
 * @param headers its headers; empty if they cannot be read, or were left out because the page was
 *     full
 * @param payloadBytes how long its payload is
 * @param payload the beginning of its payload, as long as it was asked for; null if it was not
 */
public record MessageInfo(
    String id,
    String source,
    String topic,
    @Nullable String key,
    String keySpace,
    String type,
    int version,
    @Nullable Instant time,
    Map<String, String> headers,
    long payloadBytes,
    @SuppressWarnings("ArrayRecordComponent") byte @Nullable [] payload) {

  /** The most bytes of a payload that can be asked for. */
  public static final int PAYLOAD_BYTES_MAX = 1 << 20;

  /** Leaves out payload and headers, which may be personal data, and the key. */
  @Override
  public String toString() {
    return "MessageInfo[" + id + " " + topic + " " + type + " v" + version + "]";
  }
}
