// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A message of 200 bytes that tells its number; messages of one key are to be published in the
 * order of their numbers.
 *
 * @param number from 1, or 0 of one that is lost
 */
record NumberedMessage(int number) {

  /** One whose transaction does not commit. */
  static final NumberedMessage LOST = new NumberedMessage(0);

  static final int PAYLOAD_BYTES = 200;
  static final int KEYS = 1_000;
  private static final int DIGITS = 8;
  private static final int NOISE_CHARS = 1 << 16;

  // Random letters and digits, which no compression of a row makes much smaller.
  private static final String NOISE = noise();

  /** Returns this number of messages. */
  static List<NumberedMessage> range(int first, int count) {
    return IntStream.range(first, first + count).mapToObj(NumberedMessage::new).toList();
  }

  String key() {
    return "order-" + keyOf(number);
  }

  /** Ten messages of a key follow each other, as those of one transaction do. */
  static int keyOf(int number) {
    return number / 10 % KEYS;
  }

  String payload() {
    String digits = Integer.toString(number + 100_000_000).substring(1);
    int start = (int) (number * 7_919L % (NOISE_CHARS - PAYLOAD_BYTES));
    return digits + NOISE.substring(start, start + PAYLOAD_BYTES - DIGITS);
  }

  byte[] payloadBytes() {
    return payload().getBytes(StandardCharsets.US_ASCII);
  }

  static int numberOf(String payload) {
    return Integer.parseInt(payload, 0, DIGITS, 10);
  }

  static int numberOf(byte[] payload) {
    int number = 0;
    for (int i = 0; i < DIGITS; i++) {
      number = number * 10 + payload[i] - '0';
    }
    return number;
  }

  private static String noise() {
    String letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    SplittableRandom random = new SplittableRandom(1);
    StringBuilder noise = new StringBuilder(NOISE_CHARS);
    for (int i = 0; i < NOISE_CHARS; i++) {
      noise.append(letters.charAt(random.nextInt(letters.length())));
    }
    return noise.toString();
  }
}
