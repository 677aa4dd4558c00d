// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

/**
 * Turns events into payloads and back. Thread-safe.
 *
 * <p>The class to read is always one that was registered in code, never one that data names.
 */
public interface PayloadSerializer {

  /** Returns the media type of the payloads, such as {@code application/json}. */
  String contentType();

  /**
   * Writes an event.
   *
   * @throws io.outledger.InvalidMessageException {@code OUT-015} if it cannot be written
   */
  byte[] write(Object event);

  /**
   * Reads an event of a registered class.
   *
   * @throws io.outledger.InvalidMessageException {@code OUT-015} if the payload cannot be read
   */
  <T> T read(byte[] payload, Class<T> type);
}
