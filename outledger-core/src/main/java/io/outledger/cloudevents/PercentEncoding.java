// SPDX-License-Identifier: Apache-2.0
package io.outledger.cloudevents;

import io.outledger.Require;
import java.io.ByteArrayOutputStream;
import java.util.Locale;

/**
 * How CloudEvents' bindings for HTTP and NATS write the values of headers, which carry ASCII alone:
 * each byte of UTF-8 that is no printable ASCII, and space, double quote and percent, as {@code
 * %XX}.
 */
public final class PercentEncoding {

  private PercentEncoding() {}

  /**
   * Encodes a text's UTF-8.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public static String encode(byte[] utf8) {
    Require.nonNull("utf8", utf8);
    StringBuilder text = new StringBuilder(utf8.length + 16);
    for (byte b : utf8) {
      int c = b & 0xff;
      if (c > ' ' && c < 0x7f && c != '"' && c != '%') {
        text.append((char) c);
      } else {
        text.append('%').append(String.format(Locale.ROOT, "%02X", c));
      }
    }
    return text.toString();
  }

  /**
   * Decodes what was received. A percent sign without two hexadecimal digits stays as it is.
   *
   * @param encoded the bytes of the header's value
   * @return a copy, the caller's own; UTF-8 if the sender was right
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public static byte[] decode(byte[] encoded) {
    Require.nonNull("encoded", encoded);
    ByteArrayOutputStream plain = new ByteArrayOutputStream(encoded.length);
    for (int i = 0; i < encoded.length; i++) {
      int high =
          encoded[i] == '%' && i + 2 < encoded.length ? Character.digit(encoded[i + 1], 16) : -1;
      int low = high < 0 ? -1 : Character.digit(encoded[i + 2], 16);
      if (low < 0) {
        plain.write(encoded[i]);
      } else {
        plain.write(high << 4 | low);
        i += 2;
      }
    }
    return plain.toByteArray();
  }
}
