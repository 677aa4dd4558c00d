// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.Require;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a message says that is appended in the place of a parked one. Immutable: the array is never
 * copied, and must not be changed.
 *
 * @param payload the new payload, {@value #PAYLOAD_BYTES_MAX} bytes at most; null for that of the
 *     parked message
 * @param headers all of the new headers; null for those of the parked message
 */
public record Revision(
    @SuppressWarnings("ArrayRecordComponent") byte @Nullable [] payload,
    @Nullable Map<String, String> headers) {

  /** The header of the new message with the id of the parked one. */
  public static final String REVISES_HEADER = "revises";

  /** The most bytes of a payload that a request can carry. */
  public static final int PAYLOAD_BYTES_MAX = 1 << 20;

  /**
   * Checks what is given.
   *
   * @throws ConfigurationException {@code OUT-021} if nothing is given, or the payload is too large
   * @throws io.outledger.InvalidMessageException {@code OUT-014} if the headers violate {@link
   *     io.outledger.MessageLimits}
   */
  public Revision {
    if (payload == null && headers == null) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, "a revision needs a payload or headers");
    }
    if (payload != null && payload.length > PAYLOAD_BYTES_MAX) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "the payload has %s bytes, but a request carries %s at most; append the message yourself,"
                  .formatted(payload.length, PAYLOAD_BYTES_MAX)
              + " and discard the parked one");
    }
    if (headers != null) {
      Message.Builder any = Message.to("topic", "type");
      headers.forEach(any::header);
      headers = any.build().headers();
      any.header(REVISES_HEADER, new UUID(0, 0).toString()).build(); // which is added
    }
  }

  /** Changes the payload. */
  public static Revision payload(byte[] payload) {
    return new Revision(Require.nonNull("payload", payload), null);
  }

  /** Changes the headers: they replace all of the parked message's. */
  public static Revision headers(Map<String, String> headers) {
    return new Revision(null, Require.nonNull("headers", headers));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Revision revision
        && Arrays.equals(payload, revision.payload)
        && Objects.equals(headers, revision.headers);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(payload) + Objects.hashCode(headers);
  }

  /** Tells what is given, but not what it says: that may be personal data. */
  @Override
  public String toString() {
    return "Revision["
        + (payload == null ? "" : "payload of " + payload.length + " bytes")
        + (payload == null || headers == null ? "" : ", ")
        + (headers == null ? "" : "headers")
        + "]";
  }
}
