// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Turns events into payloads and back. Thread-safe.
 *
 * <p>The class to read is always one that was registered in code, never one that data names. No
 * error quotes a payload's values: they may be secret, and errors are logged and stored.
 */
public interface PayloadSerializer {

  /** Returns the media type of the payloads, such as {@code application/json}. */
  String contentType();

  /**
   * Returns the media types of the payloads that this reads; its own alone, unless overridden by a
   * serializer that also reads what another one has written, such as the one before it.
   */
  default Set<String> contentTypes() {
    return Set.of(contentType());
  }

  /**
   * Checks, without an event, that events of a class can be written and read: the class and
   * everything in it. {@link Events} checks each registered class this way when it is built, so
   * that what no handler could read is never appended. A serializer that is made in the background
   * may check later; it then refuses to write events of a class that fails the check.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if they cannot; it says why and
   *     what to do
   */
  void check(Class<?> type);

  /**
   * Writes an event.
   *
   * @throws io.outledger.InvalidMessageException {@code OUT-015} if it cannot be written
   */
  byte[] write(Object event);

  /**
   * Reads an event of a registered class.
   *
   * @param unknownFields is told of each field in the payload that is ignored because the class
   *     does not have it, by its name; one of a nested class with the class, such as {@code
   *     Line.count}. A format without such fields tells nothing
   * @throws io.outledger.InvalidMessageException {@code OUT-015} if the payload cannot be read
   */
  <T> T read(byte[] payload, Class<T> type, Consumer<String> unknownFields);

  /**
   * Reads an event of a registered class, and ignores unknown fields in silence.
   *
   * @throws io.outledger.InvalidMessageException {@code OUT-015} if the payload cannot be read
   */
  default <T> T read(byte[] payload, Class<T> type) {
    return read(payload, type, field -> {});
  }

  /**
   * Reads an event whose payload and class must fit exactly, for tests of stored payloads.
   *
   * @throws io.outledger.InvalidMessageException {@code OUT-015} if the payload cannot be read, has
   *     a field that the class does not have, or lacks one that the class is created from; it names
   *     the field
   */
  <T> T readExactly(byte[] payload, Class<T> type);

  /**
   * Checks that payloads can be read as trees of a class, on which upcasts work, such as Jackson's
   * {@code ObjectNode}. This one refuses every class: override it together with {@link #rewrite}.
   *
   * @throws ConfigurationException {@code OUT-021} if they cannot; it names the class that can
   */
  default void checkTree(Class<?> tree) {
    Require.nonNull("tree", tree);
    throw new ConfigurationException(
        ErrorCode.INVALID_CONFIGURATION,
        "an upcast works on "
            + tree.getName()
            + ", and "
            + getClass().getName()
            + " reads no trees; use a serializer that does, or remove the upcast");
  }

  /**
   * Reads a payload as a tree, and writes what a function makes of it: a payload of another
   * version. The tree belongs to the function, which may change it and return it.
   *
   * @param payload stays as it is
   * @param tree a class that {@link #checkTree} accepts
   * @param change returns the tree to write; null to have none written
   * @return the payload that was written; empty if the function has returned null
   * @throws io.outledger.InvalidMessageException {@code OUT-015} if the payload cannot be read, or
   *     the tree cannot be written; what the function throws
   */
  default <T> Optional<byte[]> rewrite(
      byte[] payload, Class<T> tree, Function<? super T, ? extends @Nullable T> change) {
    checkTree(tree);
    throw new IllegalStateException(
        getClass().getName() + " accepts trees and overrides no rewrite");
  }
}
