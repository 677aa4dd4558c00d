// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The names of message groups and the deduplication ids of FIFO queues and topics. */
final class FifoNames {

  private static final int CHARS_MAX = 128;

  private FifoNames() {}

  /** Returns a text itself where AWS accepts it as a name, and else one of its SHA-256. */
  static String of(String text) {
    boolean isAccepted =
        text.length() <= CHARS_MAX && text.chars().allMatch(c -> c > ' ' && c < 0x7f);
    return isAccepted ? text : "sha256-" + HexFormat.of().formatHex(sha256(text));
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
