// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * A record's headers as text. What is not UTF-8, or holds a NUL, which no database can store, is
 * left out; of several with one name the last is taken, and the name noted.
 *
 * @param texts by name
 * @param repeated the names that more than one header has
 */
record HeaderTexts(Map<String, String> texts, Set<String> repeated) {

  private static final int COUNT_MAX = 1_000;
  private static final int BYTES_MAX = 64 * 1024;

  /** Reads headers; null where there are more of them than anybody needs. */
  static @Nullable HeaderTexts of(Headers headers) {
    Map<String, String> texts = new TreeMap<>();
    Set<String> names = new HashSet<>();
    Set<String> repeated = new HashSet<>();
    int count = 0;
    long bytes = 0;
    for (Header header : headers) {
      bytes += header.key().length() + (header.value() == null ? 0 : header.value().length);
      if (++count > COUNT_MAX || bytes > BYTES_MAX) {
        return null;
      }
      if (!names.add(header.key())) {
        repeated.add(header.key());
      }
      String value = text(header.value());
      if (value == null || header.key().indexOf(0) >= 0) {
        texts.remove(header.key());
      } else {
        texts.put(header.key(), value);
      }
    }
    return new HeaderTexts(texts, repeated);
  }

  /** Returns UTF-8 text without a NUL; null where it is something else. */
  static @Nullable String text(byte @Nullable [] bytes) {
    try {
      String text =
          bytes == null ? null : UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text == null || text.indexOf(0) >= 0 ? null : text;
    } catch (CharacterCodingException e) {
      return null;
    }
  }
}
