// SPDX-License-Identifier: Apache-2.0
package io.outledger.cloudevents;

import io.outledger.ConfigurationException;
import io.outledger.InvalidMessageException;
import io.outledger.MessageLimits;
import io.outledger.Require;
import io.outledger.inbox.Received;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads CloudEvents 1.x in binary mode from the headers of received messages. Others wrote them, so
 * nothing is taken for granted, and no value of theirs gets into an error's text.
 *
 * <p>{@code specversion}, {@code id}, {@code source} and {@code type} are required; {@code
 * dataversion} is 1 where it is missing; each of these may be there once. A {@code time} that
 * cannot be read is none. {@code traceparent} and {@code tracestate} are found under either of
 * their names. All other headers stay as they are, {@code sequence} and other attributes with their
 * prefix.
 *
 * <p>Immutable and thread-safe.
 */
public final class CloudEventReader {

  private final CloudEventNames names;

  /**
   * Makes a reader.
   *
   * @param prefix what the binding puts before the names of attributes, such as {@code ce_}; may be
   *     empty
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public CloudEventReader(String prefix) {
    this.names = new CloudEventNames(prefix);
  }

  /**
   * Reads a message. Its key is the sender's {@code partitionkey}, or else the broker's own.
   *
   * @param headers its headers, which stay as they are
   * @throws ConfigurationException {@code OUT-021} if an argument is null
   * @throws InvalidMessageException {@code OUT-014} naming its place, if it is no CloudEvent 1.x of
   *     binary mode, or its identity, type or version is missing, repeated or cannot be read or
   *     stored. Whether such a message is received in another way is the receiver's own rule
   */
  public Received read(TransportMessage message, ReceivedHeaders headers) {
    Require.nonNull("message", message);
    Require.nonNull("headers", headers);
    for (String name : names.identifying) {
      if (headers.isRepeated(name)) {
        throw message.unreadable("has more than one " + name);
      }
    }
    Map<String, String> rest = headers.texts();
    checkVersionOfSpec(message, rest.remove(names.specVersion));
    String id = required(message, rest, names.id);
    String source = required(message, rest, names.source);
    String type = type(message, rest);
    int version = version(message, rest.remove(names.dataVersion));
    Instant time = time(rest.remove(names.time));
    String key = rest.remove(names.partitionKey);
    mergeTrace(rest);
    try {
      return new Received(
          source,
          id,
          message.topic(),
          key == null ? message.key() : key,
          type,
          version,
          message.payload(),
          rest,
          time,
          message.origin(),
          message.keySpace());
    } catch (InvalidMessageException e) {
      throw message.unreadable("cannot be received: " + e.getMessage());
    }
  }

  private void checkVersionOfSpec(TransportMessage message, @Nullable String given) {
    if (given == null || !given.startsWith("1.")) {
      throw message.unreadable(
          "is not a CloudEvent 1.x in binary mode: " + names.specVersion + " is " + shown(given));
    }
  }

  /** The trace may come under either name, and continues under the tracers' own. */
  private void mergeTrace(Map<String, String> headers) {
    mergeTrace(headers, CloudEventNames.TRACE_PARENT);
    mergeTrace(headers, CloudEventNames.TRACE_STATE);
  }

  private void mergeTrace(Map<String, String> headers, String name) {
    String value = headers.remove(names.trace(name));
    if (value != null) {
      headers.putIfAbsent(name, value);
    }
  }

  private static String required(
      TransportMessage message, Map<String, String> headers, String name) {
    String value = headers.remove(name);
    if (value == null || value.isBlank()) {
      throw message.unreadable("has no readable " + name);
    }
    return value;
  }

  private String type(TransportMessage message, Map<String, String> headers) {
    String type = required(message, headers, names.type);
    if (type.length() > MessageLimits.TYPE_CHARS_MAX
        || type.chars().anyMatch(Character::isISOControl)) {
      throw message.unreadable(
          "has a type of " + type.length() + " characters, which is not a valid type");
    }
    return type;
  }

  private int version(TransportMessage message, @Nullable String text) {
    if (text == null) {
      return 1;
    }
    if (text.matches("[1-9][0-9]{0,8}")) {
      return Integer.parseInt(text);
    }
    throw message.unreadable(
        "has a "
            + names.dataVersion
            + " of "
            + text.length()
            + " characters but must be a whole number, 1 or more");
  }

  private static @Nullable Instant time(@Nullable String text) {
    try {
      Instant time = text == null ? null : OffsetDateTime.parse(text).toInstant();
      return time == null || !MessageLimits.allows(time) ? null : time;
    } catch (DateTimeException e) {
      return null; // for display only, so not worth stopping for
    }
  }

  /** Not the value itself: a stranger chose it, and it would go into the log. */
  private static String shown(@Nullable String value) {
    return value == null ? "missing" : "another, of " + value.length() + " characters";
  }
}
