// SPDX-License-Identifier: Apache-2.0
package io.outledger.cloudevents;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.ConfigurationException;
import io.outledger.InvalidMessageException;
import io.outledger.MessageLimits;
import io.outledger.Require;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The headers of one received message as texts. A stranger may have written them, so their number
 * and size are bounded. Headers that no database can store as text are left out: those whose value
 * is not UTF-8, or whose name or value holds a NUL; and so are those that {@link ReservedHeaders}
 * name. Of several headers with one name the last counts, and the name is noted: a {@link
 * CloudEventReader} refuses a message that says twice who it is.
 *
 * <p>Names are compared as they are. A receiver whose protocol ignores their case adds them in
 * lower case; one whose protocol encodes values adds them decoded. Not thread-safe.
 */
public final class ReceivedHeaders {

  /** The most headers of a message. */
  public static final int COUNT_MAX = 1_000;

  /**
   * The most bytes of all headers' values and characters of their names together. A value that came
   * as text counts in characters.
   */
  public static final int BYTES_MAX = 64 * 1024;

  private final TransportMessage message;
  private final ReservedHeaders reserved;
  private final Map<String, String> texts = new TreeMap<>();
  private final Set<String> names = new HashSet<>();
  private final Set<String> repeated = new HashSet<>();
  private int count;
  private long bytes;

  /**
   * Makes headers, none at first.
   *
   * @param message the message whose headers they are
   * @param reserved the names that are left out, since they are meant for the server it came from
   * @throws ConfigurationException {@code OUT-021} if an argument is null
   */
  public ReceivedHeaders(TransportMessage message, ReservedHeaders reserved) {
    this.message = Require.nonNull("message", message);
    this.reserved = Require.nonNull("reserved", reserved);
  }

  /**
   * Adds a header whose value came as bytes.
   *
   * @param value UTF-8, or else the header is left out; so is one without a value (null)
   * @throws InvalidMessageException {@code OUT-014} if there are more headers, or more bytes of
   *     them, than the bounds allow
   */
  public void add(String name, byte @Nullable [] value) {
    Require.nonNull("name", name);
    count(name.length() + (value == null ? 0L : value.length));
    put(name, text(value));
  }

  /**
   * Adds a header whose value came as text; otherwise like {@link #add}.
   *
   * @param value the header is left out if it is null, or holds a NUL or an unpaired surrogate
   */
  public void addText(String name, @Nullable String value) {
    Require.nonNull("name", name);
    count(name.length() + (value == null ? 0L : value.length()));
    put(name, value == null || !MessageLimits.isStorable(value) ? null : value);
  }

  /**
   * Sets what the receiver itself says of the message, in place of whatever the sender said under
   * that name, such as a property that the protocol keeps apart from the headers.
   *
   * @param value null for no such header, as is a value that holds a NUL or an unpaired surrogate
   */
  public void set(String name, @Nullable String value) {
    Require.nonNull("name", name);
    repeated.remove(name);
    if (value == null || !MessageLimits.isStorable(value)) {
      texts.remove(name);
    } else {
      texts.put(name, value);
    }
  }

  /** Returns the headers by name, sorted: a copy, the caller's own. */
  public Map<String, String> texts() {
    return new TreeMap<>(texts);
  }

  /** Returns UTF-8 as text; null for what is not UTF-8 or holds a NUL, and for null. */
  public static @Nullable String text(byte @Nullable [] bytes) {
    try {
      String text =
          bytes == null ? null : UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text == null || text.indexOf(0) >= 0 ? null : text;
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  boolean isRepeated(String name) {
    return repeated.contains(name);
  }

  private void count(long size) {
    bytes += size;
    if (++count > COUNT_MAX || bytes > BYTES_MAX) {
      throw message.unreadable("has more headers than the receiver accepts");
    }
  }

  private void put(String name, @Nullable String value) {
    if (!names.add(name)) {
      repeated.add(name);
    }
    if (value == null || name.indexOf(0) >= 0 || reserved.contains(name)) {
      texts.remove(name);
    } else {
      texts.put(name, value);
    }
  }
}
