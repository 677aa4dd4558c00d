// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.cloudevents.CloudEvents;
import io.outledger.cloudevents.PercentEncoding;
import io.outledger.cloudevents.ReservedHeaders;
import java.util.Locale;
import java.util.Set;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.message.BasicHeader;

/**
 * CloudEvents' protocol binding for HTTP: attributes are headers with the prefix {@code ce-}, whose
 * values are percent-encoded ("HTTP Header Values" of the binding). So are those of a message's own
 * headers, and of all others alike: HTTP carries ASCII alone.
 */
final class EventHeaders {

  static final String PREFIX = "ce-";
  static final String ID = "webhook-id";
  static final String TIMESTAMP = "webhook-timestamp";
  static final String SIGNATURE = "webhook-signature";

  private static final String NAME = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";

  /** Sent as they are: their own rules leave nothing to encode, and tracers decode nothing. */
  private static final Set<String> PLAIN =
      Set.of(CloudEvents.CONTENT_TYPE, "traceparent", "tracestate");

  /** What frames a request, leads it elsewhere, or says who sends it, is for no message to set. */
  static final ReservedHeaders RESERVED =
      ReservedHeaders.in(
          "HTTP",
          "host",
          "content-length",
          "content-encoding",
          "content-range",
          "transfer-encoding",
          "connection",
          "keep-alive",
          "te",
          "trailer",
          "upgrade",
          "expect",
          "range",
          "if-*",
          "date",
          "via",
          "forwarded",
          "x-forwarded-*",
          "x-real-ip",
          "x-http-method*",
          "x-method-override",
          "x-original-*",
          "x-rewrite-*",
          "proxy-*",
          "idempotency-key",
          "user-agent",
          "accept-encoding",
          "authorization",
          "cookie",
          ID,
          TIMESTAMP,
          SIGNATURE);

  private static final Set<String> CREDENTIALS = Set.of("authorization", "cookie");

  private EventHeaders() {}

  /** Says whether configuration may set a header: what identifies the sender, and its own. */
  static boolean isConfigurable(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    boolean isEvents = lower.equals(CloudEvents.CONTENT_TYPE) || lower.startsWith(PREFIX);
    return CREDENTIALS.contains(lower) || (!isEvents && !RESERVED.contains(lower));
  }

  static boolean isName(String name) {
    return name.matches(NAME);
  }

  /** Says whether a value can be sent as it is. */
  static boolean isPlain(String value) {
    return value.chars().allMatch(c -> c >= ' ' && c < 0x7f) && value.equals(value.strip());
  }

  /**
   * Makes a header of a request in binary mode.
   *
   * @throws InvalidMessageException {@code OUT-014} if HTTP cannot carry it
   */
  static Header header(String name, byte[] utf8) {
    if (!isName(name)) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          "the header '" + name + "' cannot be sent by HTTP; use another name");
    }
    String text = new String(utf8, UTF_8);
    boolean asItIs = PLAIN.contains(name.toLowerCase(Locale.ROOT)) && isPlain(text);
    return new BasicHeader(name, asItIs ? text : PercentEncoding.encode(utf8));
  }

  /** Returns what a header's value was before it was encoded. */
  static byte[] decoded(String name, String value) {
    byte[] bytes = value.getBytes(ISO_8859_1);
    if (PLAIN.contains(name.toLowerCase(Locale.ROOT)) && isPlain(value)) {
      return bytes;
    }
    return PercentEncoding.decode(bytes);
  }
}
