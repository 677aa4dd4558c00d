// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Headers as one form-encoded text, {@code name=value&name=value}; null where there are none. */
public final class HeaderText {

  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private HeaderText() {}

  /** Returns the text of headers; null where there are none. */
  public static @Nullable String encode(Map<String, String> headers) {
    Require.nonNull("headers", headers);
    if (headers.isEmpty()) {
      return null;
    }
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, String> header : headers.entrySet()) {
      if (!text.isEmpty()) {
        text.append('&');
      }
      encode(header.getKey(), text);
      text.append('=');
      encode(header.getValue(), text);
    }
    return text.toString();
  }

  /**
   * Returns the headers of a text, as an immutable map.
   *
   * @throws IllegalArgumentException if it is not form-encoded
   */
  public static Map<String, String> decode(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return Map.of();
    }
    Map<String, String> headers = new TreeMap<>();
    int from = 0;
    while (from < text.length()) {
      int amp = text.indexOf('&', from);
      int to = amp < 0 ? text.length() : amp;
      int equals = text.indexOf('=', from);
      int split = equals < 0 || equals > to ? to : equals;
      headers.put(decodeOne(text, from, split), decodeOne(text, Math.min(split + 1, to), to));
      from = to + 1;
    }
    return Collections.unmodifiableMap(headers);
  }

  // Each append needs it, and java.net.URLEncoder takes several times as long.
  private static void encode(String text, StringBuilder encoded) {
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      if (isPlain(each)) {
        encoded.append((char) each);
      } else if (each == ' ') {
        encoded.append('+');
      } else {
        encoded.append('%').append(HEX.toHighHexDigit(each)).append(HEX.toLowHexDigit(each));
      }
    }
  }

  private static boolean isPlain(byte c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '.'
        || c == '_'
        || c == '*';
  }

  private static String decodeOne(String text, int from, int to) {
    return URLDecoder.decode(text.substring(from, to), StandardCharsets.UTF_8);
  }
}
