// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Given;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Headers as one form-encoded text, {@code name=value&name=value}; null where there are none. */
public final class HeaderText {

  private HeaderText() {}

  /** Returns the text of headers; null where there are none. */
  public static @Nullable String encode(Map<String, String> headers) {
    Given.check("headers", headers);
    if (headers.isEmpty()) {
      return null;
    }
    StringJoiner text = new StringJoiner("&");
    headers.forEach((name, value) -> text.add(encode(name) + "=" + encode(value)));
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

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String decodeOne(String text, int from, int to) {
    return URLDecoder.decode(text.substring(from, to), StandardCharsets.UTF_8);
  }
}
