// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Writes events as plain text, of which each class is made.
 *
 * @param writer an event's text
 * @param reader the event of a text
 * @param unknown the fields that each payload has and no class
 */
record TextSerializer(
    Function<Object, String> writer, Function<String, Object> reader, List<String> unknown)
    implements PayloadSerializer {

  TextSerializer(Function<Object, String> writer, Function<String, Object> reader) {
    this(writer, reader, List.of());
  }

  @Override
  public String contentType() {
    return "text/plain";
  }

  @Override
  public byte[] write(Object event) {
    return writer.apply(event).getBytes(UTF_8);
  }

  @Override
  public void check(Class<?> type) {}

  @Override
  public <T> T readExactly(byte[] payload, Class<T> type) {
    return read(payload, type);
  }

  @Override
  public <T> T read(byte[] payload, Class<T> type, Consumer<String> unknownFields) {
    unknown.forEach(unknownFields);
    return type.cast(reader.apply(new String(payload, UTF_8)));
  }
}
