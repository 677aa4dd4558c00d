// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * What an inbox record holds of a message, the same on every database.
 *
 * <p>The hash is 16 bytes of SHA-256 over consumer, source and id, each behind the one before and a
 * zero byte, which no text has. Records that come together lie together in the index, else each
 * would change a page of its own: the first bytes of some hashes are therefore of the id itself.
 *
 * <ul>
 *   <li>an id of this ledger, see {@link Received#ledgerId}: 8 bytes of position, 8 of SHA-256
 *   <li>a UUID in its usual form: its first 4 bytes, then 12 of SHA-256
 *   <li>any other id: 16 bytes of SHA-256
 * </ul>
 *
 * @param subscription the subscription whose handlers process it; empty for a message that is not
 *     of this ledger
 * @param consumerNo stands for the consumer and the subscription; see {@link InboxConsumers}
 * @param hash 16 bytes
 */
public record InboxKey(String subscription, int consumerNo, UUID hash) {

  private static final Pattern LEDGER_ID =
      Pattern.compile("0[0-9]{18}/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final Pattern UUID_ID =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final int POSITION_DIGITS = 19;

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public InboxKey {
    Require.nonNull("subscription", subscription);
    Require.nonNull("hash", hash);
  }

  /** Returns the key by which a consumer that was never renamed remembers an id. */
  public static InboxKey of(String consumer, InboxId id) {
    Require.nonNull("consumer", consumer);
    Require.nonNull("id", id);
    return of(InboxName.first(consumer, subscriptionOf(id)), id);
  }

  /**
   * Returns the key by which a consumer remembers an id.
   *
   * @param name the consumer, of the id's subscription
   */
  public static InboxKey of(InboxName name, InboxId id) {
    Require.nonNull("name", name);
    Require.nonNull("id", id);
    boolean isOfLedger = !name.subscription().isEmpty();
    String source = isOfLedger ? name.hashedSource() : id.source();
    ByteBuffer all = ByteBuffer.wrap(sha256(name.hashedConsumer(), source, id.id()));
    String text = id.id();
    UUID hash;
    if (isOfLedger) {
      hash = new UUID(Long.parseLong(text, 0, POSITION_DIGITS, 10), all.getLong());
    } else if (UUID_ID.matcher(text).matches()) {
      long first = (long) Integer.parseUnsignedInt(text, 0, 8, 16) << 32;
      hash = new UUID(first | Integer.toUnsignedLong(all.getInt()), all.getLong());
    } else {
      hash = new UUID(all.getLong(), all.getLong());
    }
    return new InboxKey(name.subscription(), name.number(), hash);
  }

  /** Returns the number that stands for a consumer, or for a subscription's handler. */
  static int numberOf(String consumer, String subscription) {
    return ByteBuffer.wrap(sha256(consumer, subscription)).getInt();
  }

  /** Returns the subscription whose handlers process an id; empty for one of another ledger. */
  static String subscriptionOf(InboxId id) {
    int prefix = id.source().indexOf(Received.LEDGER);
    if (prefix < 0 || !LEDGER_ID.matcher(id.id()).matches()) {
      return "";
    }
    String name = id.source().substring(prefix + Received.LEDGER.length());
    return Received.inboxSourceOf(name).equals(id.source()) ? name : "";
  }

  private static byte[] sha256(String... texts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (int i = 0; i < texts.length; i++) {
        if (i > 0) {
          digest.update((byte) 0);
        }
        digest.update(texts[i].getBytes(StandardCharsets.UTF_8));
      }
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
