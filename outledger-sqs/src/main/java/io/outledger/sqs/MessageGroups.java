// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The names of message groups. */
final class MessageGroups {

  private static final int CHARS_MAX = 128;

  private MessageGroups() {}

  /**
   * Returns the group of a key: the key itself where AWS accepts it, and else its SHA-256. Two keys
   * in one group would keep an order that nobody asked for, and do no harm.
   */
  static String of(String key) {
    boolean isAccepted =
        key.length() <= CHARS_MAX && key.chars().allMatch(c -> c > ' ' && c < 0x7f);
    return isAccepted ? key : "sha256-" + HexFormat.of().formatHex(sha256(key));
  }

  private static byte[] sha256(String key) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(key.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
