// SPDX-License-Identifier: Apache-2.0
package io.outledger.cloudevents;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.Require;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Writes the headers of messages as CloudEvents 1.0 in binary mode. The payload is not touched.
 *
 * <p>Required attributes: {@code specversion}, {@code id}, {@code source}, {@code type}. Optional:
 * {@code time}, as RFC 3339 with microseconds. Extensions: {@code sequence}, the position with 19
 * digits, since the extension's values are compared as text; {@code partitionkey}, the key, if
 * there is one; {@code dataversion}, the type's version, an extension of our own. The names of all
 * these begin with the binding's prefix.
 *
 * <p>The message's own headers follow:
 *
 * <ul>
 *   <li>{@code content-type}, in any case, is written as {@link CloudEvents#CONTENT_TYPE}, without
 *       the prefix. {@code application/cloudevents…} is refused: it marks structured mode.
 *   <li>{@code traceparent} and {@code tracestate} are written twice: with the prefix, as the
 *       distributed tracing extension asks, and without, for tracers that know nothing of
 *       CloudEvents. A binding without a prefix has them once. They are left out if {@code
 *       traceparent} does not have W3C's form, or {@code tracestate} has more than 512 characters.
 *   <li>A name that is one of the attributes above, or that the protocol reserves, is refused, in
 *       any case. Any other name is written as it is; one with the prefix is thereby an attribute,
 *       such as {@code ce_subject}.
 * </ul>
 *
 * <p>Not thread-safe: each thread needs a writer of its own.
 *
 * @param <H> a header in the form that the broker's client takes
 */
public final class CloudEventWriter<H> {

  private static final int SEQUENCE_DIGITS = 19;
  private static final int TRACESTATE_CHARS_MAX = 512;

  private final CloudEventNames names;
  private final ReservedHeaders reserved;
  private final BiFunction<String, byte[], ? extends H> form;
  private final H specVersion;
  private final H source;
  private final EventTimes times = new EventTimes();

  /**
   * Makes a writer.
   *
   * @param prefix what the binding puts before the names of attributes, such as {@code ce_}; may be
   *     empty
   * @param source the source of all messages, as {@link CloudEvents#checkedSource} allows it
   * @param reserved the names that messages may not set, since the protocol gives them a meaning
   * @param form makes a header of its name and its value in UTF-8. It may keep the array, but must
   *     not change it, since two headers may share it. It may refuse a header that the broker
   *     cannot carry with an {@link InvalidMessageException}. Those of {@code specversion} and
   *     {@code source} are made once and returned for every message
   * @throws ConfigurationException {@code OUT-021} if an argument is null
   */
  public CloudEventWriter(
      String prefix,
      String source,
      ReservedHeaders reserved,
      BiFunction<String, byte[], ? extends H> form) {
    this.names = new CloudEventNames(prefix);
    this.reserved = Require.nonNull("reserved", reserved);
    this.form = Require.nonNull("form", form);
    this.specVersion = form.apply(names.specVersion, ascii("1.0"));
    this.source = form.apply(names.source, Require.nonNull("source", source).getBytes(UTF_8));
  }

  /**
   * Returns the headers of a message, the attributes first. The list is the caller's own.
   *
   * @param position the message's position in the ledger, 0 or more
   * @throws ConfigurationException {@code OUT-021} if the message is null
   * @throws InvalidMessageException {@code OUT-014} if the name of one of the message's headers is
   *     reserved, or its content type is that of structured CloudEvents; and what the form throws
   */
  public List<H> write(long position, Message message) {
    String key = Require.nonNull("message", message).key();
    List<H> headers = new ArrayList<>(9 + message.headers().size());
    headers.add(specVersion);
    headers.add(form.apply(names.id, ascii(message.id().toString())));
    headers.add(source);
    headers.add(form.apply(names.type, message.type().getBytes(UTF_8)));
    headers.add(form.apply(names.time, times.format(message.time())));
    headers.add(form.apply(names.sequence, sequence(position)));
    headers.add(form.apply(names.dataVersion, ascii(Integer.toString(message.version()))));
    if (key != null) {
      headers.add(form.apply(names.partitionKey, key.getBytes(UTF_8)));
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

  private void addGiven(List<H> headers, Map<String, String> given) {
    String parent = given.get(CloudEventNames.TRACE_PARENT);
    boolean traced = parent != null && TraceParent.isValid(parent);
    for (Map.Entry<String, String> header : given.entrySet()) {
      String name = header.getKey();
      String value = header.getValue();
      if (CloudEventNames.isTrace(name)) {
        if (traced && value.length() <= TRACESTATE_CHARS_MAX) {
          addTrace(headers, name, value);
        }
      } else if (name.equalsIgnoreCase(CloudEvents.CONTENT_TYPE)) {
        refuseStructured(value);
        headers.add(form.apply(CloudEvents.CONTENT_TYPE, value.getBytes(UTF_8)));
      } else {
        refuseReserved(name);
        reserved.check(name);
        headers.add(form.apply(name, value.getBytes(UTF_8)));
      }
    }
  }

  private void addTrace(List<H> headers, String name, String value) {
    byte[] bytes = value.getBytes(UTF_8);
    // By their own names for tracers, which know nothing of CloudEvents.
    headers.add(form.apply(name, bytes));
    String attribute = names.trace(name);
    if (!attribute.equals(name)) {
      headers.add(form.apply(attribute, bytes));
    }
  }

  private void refuseReserved(String name) {
    if (names.isOurs(name)) {
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
