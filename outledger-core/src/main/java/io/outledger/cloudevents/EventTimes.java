// SPDX-License-Identifier: Apache-2.0
package io.outledger.cloudevents;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.Instant;
import java.util.Arrays;

/**
 * Writes times as RFC 3339 with microseconds. Most messages share their second with the one before,
 * so that is kept: formatting each one again costs as much as the rest of a record. Not
 * thread-safe.
 */
final class EventTimes {

  private static final int MICROS_DIGITS = 6;

  private long second = Long.MIN_VALUE;
  private byte[] text = new byte[0];

  /** Writes a time, always with six digits of the second's fraction. */
  byte[] format(Instant time) {
    if (time.getEpochSecond() != second || text.length == 0) {
      String whole = Instant.ofEpochSecond(time.getEpochSecond()).toString();
      text = whole.replace("Z", ".000000Z").getBytes(US_ASCII);
      second = time.getEpochSecond();
    }
    byte[] written = Arrays.copyOf(text, text.length);
    int micros = time.getNano() / 1_000;
    for (int i = 0; i < MICROS_DIGITS; i++) {
      written[written.length - 2 - i] = (byte) ('0' + micros % 10);
      micros /= 10;
    }
    return written;
  }
}
