// SPDX-License-Identifier: Apache-2.0
package io.outledger.inbox;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.MessageLimits;
import io.outledger.Printable;
import io.outledger.Require;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message as a consumer received it. Only its identity is checked; everything else is data from
 * outside, as the sender gave it. Thread-safe; the payload's array is not copied.
 *
 * @param source the sender; with the id, the message's identity: 1 to {@value #SOURCE_CHARS_MAX}
 *     characters
 * @param id its id as the source gave it, not necessarily a UUID: 1 to {@value #ID_CHARS_MAX}
 *     characters, not all blank
 * @param topic where it came from
 * @param key its ordering key; null where it has none
 * @param type the logical name of its type
 * @param version the version of its type
 * @param payload its bytes
 * @param headers further text by name
 * @param time when it was made; null where the sender did not say
 * @param origin where the receiver itself knows the message came from, such as a topic, whatever
 *     the sender claims. It is part of the identity, so that a sender with access to one topic
 *     cannot impersonate a sender of another. At most {@value #ORIGIN_CHARS_MAX} ASCII characters
 *     without spaces; empty if the source is sufficient
 * @param keySpace what its key belongs to, as its receiver knows it: keys of one space are one
 *     order, and a key of another space is another aggregate's, whatever its name; empty for the
 *     space of its origin, or of its topic where it has none
 */
public record Received(
    String source,
    String id,
    String topic,
    @Nullable String key,
    String type,
    int version,
    @SuppressWarnings("ArrayRecordComponent") byte[] payload,
    Map<String, String> headers,
    @Nullable Instant time,
    String origin,
    String keySpace) {

  /** The prefix of the source of a message that did not leave its ledger's application. */
  public static final String LEDGER = "ledger/";

  /** The most characters of a source. */
  public static final int SOURCE_CHARS_MAX = 200;

  /** The most characters of an id. */
  public static final int ID_CHARS_MAX = 500;

  /** The most characters of an origin. */
  public static final int ORIGIN_CHARS_MAX = 256;

  /**
   * Checks the identity.
   *
   * @throws InvalidMessageException {@code OUT-014} if the source or the id is missing, blank, too
   *     long, or text that no database can store
   */
  public Received {
    Require.nonNull("topic", topic);
    Require.nonNull("type", type);
    Require.nonNull("payload", payload);
    Require.nonNull("headers", headers);
    Require.nonNull("origin", origin);
    if (Require.nonNull("keySpace", keySpace).isEmpty()) {
      keySpace = origin.isEmpty() ? topic : origin;
    }
    identity("source", source, SOURCE_CHARS_MAX);
    identity("id", id, ID_CHARS_MAX);
    if (!isOrigin(origin)) {
      throw invalid(
          "the place that a message came from cannot be its origin: it has more than "
              + ORIGIN_CHARS_MAX
              + " characters, a space, or a character that is not ASCII; give the receiver a name"
              + " for it with origin(...)");
    }
  }

  /** Creates a received message from one that did not leave this process. */
  public static Received of(String source, Message message) {
    Require.nonNull("message", message);
    return within(source, message.id().toString(), message);
  }

  /**
   * Creates a received message from a message of this ledger, as an inbox remembers it for handlers
   * that work without a broker. The source is the ledger and the subscription, the id {@link
   * #ledgerId}.
   */
  public static Received ofLedger(String subscription, long position, Message message) {
    Require.nonNull("subscription", subscription);
    Require.nonNull("message", message);
    return within(LEDGER + subscription, ledgerId(position, message.id()), message);
  }

  /**
   * Returns the id by which an inbox remembers a message of this ledger: its position and its own
   * id. Both, because a writer may use an id twice, and a ledger that was emptied gives its
   * positions out again. The position has leading zeros, so that ids sort as positions do, in every
   * default locale.
   */
  public static String ledgerId(long position, UUID id) {
    return String.format(Locale.ROOT, "%019d/%s", position, Require.nonNull("id", id));
  }

  private static Received within(String source, String id, Message message) {
    return new Received(
        source,
        id,
        message.topic(),
        message.key(),
        message.type(),
        message.version(),
        message.payload(),
        message.headers(),
        message.time(),
        "",
        "");
  }

  /**
   * Returns the identity by which an inbox remembers it. Its source is the origin, a space and the
   * source, where there is an origin; so it is where the source has a space itself, which would
   * else pass for one behind an origin.
   */
  public InboxId inboxId() {
    return new InboxId(inboxSource(origin, source), id);
  }

  /**
   * Returns the source by which an inbox remembers what a subscription's handlers process without a
   * broker; see {@link #ofLedger}.
   */
  public static String inboxSourceOf(String subscription) {
    return inboxSource("", LEDGER + Require.nonNull("subscription", subscription));
  }

  private static String inboxSource(String origin, String source) {
    boolean isPlain = origin.isEmpty() && source.indexOf(' ') < 0;
    return isPlain ? source : origin + " " + source;
  }

  /** Names the message, printably, without payload, key or headers: they may be personal data. */
  @Override
  public String toString() {
    return "Received["
        + Printable.value(id)
        + " from "
        + Printable.value(source)
        + " "
        + Printable.value(topic)
        + " "
        + Printable.value(type)
        + " v"
        + version
        + "]";
  }

  /** Returns whether a text may be an origin: of ASCII, without spaces, and not too long. */
  public static boolean isOrigin(String text) {
    Require.nonNull("text", text);
    return text.length() <= ORIGIN_CHARS_MAX && text.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }

  // Data from outside may well be null where its type says otherwise.
  private static void identity(String field, @Nullable String value, int max) {
    if (value == null || value.isBlank()) {
      throw invalid("a received message has no " + field + ", so duplicates cannot be detected");
    }
    if (value.length() > max) {
      throw invalid("a received message's " + field + " has more than " + max + " characters");
    }
    if (!MessageLimits.isStorable(value)) {
      throw invalid("a received message's " + field + " contains a NUL or an unpaired surrogate");
    }
  }

  private static InvalidMessageException invalid(String text) {
    return new InvalidMessageException(ErrorCode.INVALID_MESSAGE, text);
  }
}
