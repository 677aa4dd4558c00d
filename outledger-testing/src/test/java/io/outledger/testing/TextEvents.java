// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.event.PayloadSerializer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Events and states that are one text each. */
interface TextEvents {

  /** Returns the text. */
  String text();

  /** Writes and reads them. */
  record Serializer(Map<Class<?>, Function<String, Object>> readers) implements PayloadSerializer {

    @Override
    public String contentType() {
      return "text/plain";
    }

    @Override
    public void check(Class<?> type) {}

    @Override
    public void checkTree(Class<?> tree) {}

    @Override
    public byte[] write(Object event) {
      return ((TextEvents) event).text().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public <T> T read(byte[] payload, Class<T> type, Consumer<String> unknownFields) {
      Function<String, Object> reader = readers.getOrDefault(type, text -> "");
      return type.cast(reader.apply(new String(payload, StandardCharsets.UTF_8)));
    }

    @Override
    public <T> T readExactly(byte[] payload, Class<T> type) {
      return read(payload, type);
    }

    @Override
    public <T> Optional<byte[]> rewrite(
        byte[] payload, Class<T> tree, Function<? super T, ? extends @Nullable T> change) {
      T changed = change.apply(tree.cast(new String(payload, StandardCharsets.UTF_8)));
      return Optional.ofNullable(changed)
          .map(text -> String.valueOf(text).getBytes(StandardCharsets.UTF_8));
    }
  }
}
