// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Header;

/**
 * Writes messages as Kafka records that are CloudEvents 1.0 in binary mode: the payload is the
 * record's value as it is, and the event's attributes are headers. Not thread-safe.
 */
final class CloudEventHeaders {

  private static final int SEQUENCE_DIGITS = 19;
  private static final int TRACESTATE_CHARS_MAX = 512;

  private record TextHeader(String key, @SuppressWarnings("ArrayRecordComponent") byte[] value)
      implements Header {}

  private final Header specVersion = new TextHeader(CloudEventNames.SPEC_VERSION, ascii("1.0"));
  private final Header source;
  private final EventTimes times = new EventTimes();

  CloudEventHeaders(String source) {
    this.source = new TextHeader(CloudEventNames.SOURCE, source.getBytes(UTF_8));
  }

  /**
   * Returns the headers of the record that a message becomes.
   *
   * @throws InvalidMessageException if a header of the message cannot be one of the record
   */
  List<Header> write(long position, Message message) {
    String key = message.key();
    byte[] keyBytes = key == null ? null : key.getBytes(UTF_8);
    List<Header> headers = new ArrayList<>(9 + message.headers().size());
    headers.add(specVersion);
    headers.add(new TextHeader(CloudEventNames.ID, ascii(message.id().toString())));
    headers.add(source);
    headers.add(new TextHeader(CloudEventNames.TYPE, message.type().getBytes(UTF_8)));
    headers.add(new TextHeader(CloudEventNames.TIME, times.format(message.time())));
    headers.add(new TextHeader(CloudEventNames.SEQUENCE, sequence(position)));
    headers.add(
        new TextHeader(CloudEventNames.DATA_VERSION, ascii(Integer.toString(message.version()))));
    if (keyBytes != null) {
      headers.add(new TextHeader(CloudEventNames.PARTITION_KEY, keyBytes));
    }
    if (!message.headers().isEmpty()) {
      addGiven(headers, message.headers());
    }
    return headers;
  }

  /** The extension's values are compared as text, so each has as many digits as the largest. */
  private static byte[] sequence(long position) {
    byte[] digits = new byte[SEQUENCE_DIGITS];
    long rest = position;
    for (int i = SEQUENCE_DIGITS - 1; i >= 0; i--) {
      digits[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return digits;
  }

  private static void addGiven(List<Header> headers, Map<String, String> given) {
    String parent = given.get(CloudEventNames.TRACE_PARENT);
    boolean traced = parent != null && TraceParent.isValid(parent);
    for (Map.Entry<String, String> header : given.entrySet()) {
      String name = header.getKey();
      byte[] value = header.getValue().getBytes(UTF_8);
      if (CloudEventNames.isTrace(name)) {
        // By their own names for tracers, which know nothing of CloudEvents.
        if (traced && header.getValue().length() <= TRACESTATE_CHARS_MAX) {
          headers.add(new TextHeader(name, value));
          headers.add(new TextHeader(CloudEventNames.PREFIX + name, value));
        }
      } else if (name.equalsIgnoreCase(CloudEventNames.CONTENT_TYPE)) {
        refuseStructured(header.getValue());
        headers.add(new TextHeader(CloudEventNames.CONTENT_TYPE, value));
      } else {
        refuseReserved(name);
        headers.add(new TextHeader(name, value));
      }
    }
  }

  private static void refuseReserved(String name) {
    if (CloudEventNames.isOurs(name)) {
      throw invalid("header '" + name + "' is reserved for the publisher; use another name");
    }
  }

  private static void refuseStructured(String contentType) {
    String prefix = CloudEventNames.STRUCTURED;
    if (contentType.regionMatches(true, 0, prefix, 0, prefix.length())) {
      throw invalid(
          "content type '"
              + contentType
              + "' is reserved for structured CloudEvents, whose attributes are in the payload; use"
              + " another content type");
    }
  }

  private static InvalidMessageException invalid(String text) {
    return new InvalidMessageException(ErrorCode.INVALID_MESSAGE, text);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(US_ASCII);
  }
}
