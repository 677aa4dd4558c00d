// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.Require;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a {@link Pull}, or of {@link Partition}s: shares of a subscription's keys. A
 * message's slot is the CRC-32C of its key in UTF-8, or of the 16 bytes of its id where it has no
 * key, modulo the count. It is the same on every machine and in every version.
 *
 * @param count how many there are, 1 to {@value #MAX}
 */
public record Slots(int count) {

  /** The most slots of a subscription. */
  public static final int MAX = 64;

  /**
   * Checks the count.
   *
   * @throws ConfigurationException {@code OUT-021} if it is not within its bounds
   */
  public Slots {
    if (count < 1 || count > MAX) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, "slots is " + count + " but must be 1 to " + MAX);
    }
  }

  /** Returns the slot of a message, 0 or more and less than the count. */
  public int of(Message message) {
    return of(Require.nonNull("message", message).key(), message.id());
  }

  /**
   * Returns the slot of the message that has this key and id.
   *
   * @param key null for none
   */
  public int of(@Nullable String key, UUID id) {
    Require.nonNull("id", id);
    if (count == 1) {
      return 0;
    }
    CRC32C hash = new CRC32C();
    if (key == null) {
      ByteBuffer bytes = ByteBuffer.allocate(16);
      bytes.putLong(id.getMostSignificantBits());
      bytes.putLong(id.getLeastSignificantBits());
      hash.update(bytes.flip());
    } else {
      hash.update(key.getBytes(UTF_8));
    }
    return (int) (hash.getValue() % count);
  }
}
