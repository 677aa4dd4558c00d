// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.Message;
import io.outledger.cloudevents.CloudEventReader;
import io.outledger.cloudevents.CloudEventWriter;
import io.outledger.cloudevents.CloudEvents;
import io.outledger.cloudevents.ReceivedHeaders;
import io.outledger.cloudevents.ReservedHeaders;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * CloudEvents as messages of SQS and SNS, which CloudEvents has no binding for: attributes are
 * message attributes with the prefix {@code ce_}, and the payload is the body. Where there are more
 * than ten, or one that AWS cannot carry, the last ones share one attribute; and a payload that is
 * no text of XML's characters is Base64. Not thread-safe.
 */
final class SqsBinding {

  static final String PREFIX = "ce_";

  /** The attribute with what has none of its own: form-encoded, {@code name=value&…}. */
  static final String REST = "outledger_headers";

  /** The attribute that says how the payload is written in the body; none where it is as it is. */
  static final String ENCODING = "outledger_encoding";

  static final String BASE64 = "base64";
  static final String EMPTY = "empty";

  /** Names that AWS keeps for itself, and ours: they travel within {@link #REST}. */
  private static final ReservedHeaders ESCAPED =
      ReservedHeaders.in("AWS", REST, ENCODING, "AWS.*", "Amazon.*");

  private static final String NO_BODY = "-";
  private static final int ATTRIBUTES_MAX = 10;
  private static final int NAME_CHARS_MAX = 256;
  private static final int TYPE_BYTES = "String".length();
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");

  /** Those that get an attribute of their own first. */
  private static final List<String> FIRST =
      List.of(
          PREFIX + "specversion",
          PREFIX + "id",
          PREFIX + "source",
          PREFIX + "type",
          PREFIX + "time",
          PREFIX + "dataversion",
          PREFIX + "partitionkey",
          CloudEvents.CONTENT_TYPE,
          "traceparent",
          "tracestate",
          PREFIX + "sequence");

  private static final Comparator<Header> BY_RANK =
      Comparator.comparingInt(
          header -> {
            int rank = FIRST.indexOf(header.name());
            return rank < 0 ? FIRST.size() : rank;
          });

  /** A header of a message. */
  private record Header(String name, String value) {

    boolean fitsAttribute() {
      return NAME.matcher(name).matches()
          && name.length() <= NAME_CHARS_MAX
          && !ESCAPED.contains(name)
          && !value.isEmpty()
          && isXml(value);
    }

    /** The trace has its own names, and AWS has little room for a second pair of them. */
    boolean isSecondTrace() {
      return name.equals(PREFIX + "traceparent") || name.equals(PREFIX + "tracestate");
    }
  }

  /**
   * A message as AWS carries it.
   *
   * @param body the body, of XML's characters, never empty
   * @param attributes at most ten, by name
   * @param bytes what AWS counts: the body, and the attributes' names, types and values
   */
  record Written(String body, Map<String, String> attributes, int bytes) {

    /** Returns the attributes as one of AWS's clients has them. */
    <T> Map<String, T> attributes(Function<String, T> value) {
      Map<String, T> made = new HashMap<>();
      attributes.forEach((name, text) -> made.put(name, value.apply(text)));
      return made;
    }
  }

  private final CloudEventWriter<Header> writer;

  SqsBinding(String source) {
    this.writer =
        new CloudEventWriter<>(
            PREFIX, source, ReservedHeaders.NONE, (name, utf8) -> new Header(name, text(utf8)));
  }

  private static String text(byte[] utf8) {
    return new String(utf8, UTF_8);
  }

  /**
   * Writes a message.
   *
   * @throws io.outledger.InvalidMessageException {@code OUT-014} if CloudEvents cannot carry it
   */
  Written write(long position, Message message) {
    Map<String, String> attributes = new LinkedHashMap<>();
    String body = body(message.payload(), attributes);
    List<Header> own = new ArrayList<>();
    List<Header> rest = new ArrayList<>();
    for (Header header : writer.write(position, message)) {
      if (!header.isSecondTrace()) {
        (header.fitsAttribute() ? own : rest).add(header);
      }
    }
    own.sort(BY_RANK);
    int room = ATTRIBUTES_MAX - attributes.size();
    if (!rest.isEmpty() || own.size() > room) {
      List<Header> others = own.subList(Math.min(own.size(), room - 1), own.size());
      rest.addAll(others);
      others.clear();
      attributes.put(REST, form(rest));
    }
    own.forEach(header -> attributes.put(header.name(), header.value()));
    return new Written(body, attributes, bytes(body, attributes));
  }

  private static String body(byte[] payload, Map<String, String> attributes) {
    if (payload.length == 0) {
      attributes.put(ENCODING, EMPTY);
      return NO_BODY;
    }
    String text = ReceivedHeaders.text(payload);
    if (text != null && isXml(text)) {
      return text;
    }
    attributes.put(ENCODING, BASE64);
    return Base64.getEncoder().encodeToString(payload);
  }

  private static int bytes(String body, Map<String, String> attributes) {
    int bytes = body.getBytes(UTF_8).length;
    for (Map.Entry<String, String> attribute : attributes.entrySet()) {
      bytes +=
          attribute.getKey().length() + TYPE_BYTES + attribute.getValue().getBytes(UTF_8).length;
    }
    return bytes;
  }

  /** The characters that AWS accepts in bodies and attributes. */
  private static boolean isXml(String text) {
    return text.codePoints()
        .allMatch(
            c ->
                c == '\t'
                    || c == '\n'
                    || c == '\r'
                    || (c >= ' ' && c <= 0xd7ff)
                    || (c >= 0xe000 && c <= 0xfffd)
                    || c >= 0x10000);
  }

  private static String form(List<Header> headers) {
    return headers.stream()
        .map(
            header ->
                URLEncoder.encode(header.name(), UTF_8)
                    + "="
                    + URLEncoder.encode(header.value(), UTF_8))
        .collect(Collectors.joining("&"));
  }

  static CloudEventReader reader() {
    return new CloudEventReader(PREFIX);
  }

  /** Adds what {@link #REST} holds, if it has its form; a stranger may have written it. */
  static void addRest(String form, ReceivedHeaders headers) {
    for (String pair : form.split("&", -1)) {
      int at = pair.indexOf('=');
      String name = at < 0 ? null : decoded(pair.substring(0, at));
      if (name != null && !name.isEmpty()) {
        headers.addText(name, decoded(pair.substring(at + 1)));
      }
    }
  }

  private static @Nullable String decoded(String text) {
    try {
      return URLDecoder.decode(text, UTF_8);
    } catch (IllegalArgumentException e) {
      return null; // a header that no database can store as text is left out, too
    }
  }

  /**
   * Returns the payload of a body.
   *
   * @param encoding what {@link #ENCODING} says; null for a body that is the payload
   * @return null if that is no encoding of ours, or the body is not in it
   */
  static byte @Nullable [] payload(String body, @Nullable String encoding) {
    if (encoding == null) {
      return body.getBytes(UTF_8);
    }
    return switch (encoding) {
      case EMPTY -> new byte[0];
      case BASE64 -> base64(body);
      default -> null;
    };
  }

  private static byte @Nullable [] base64(String body) {
    try {
      return Base64.getDecoder().decode(body);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
