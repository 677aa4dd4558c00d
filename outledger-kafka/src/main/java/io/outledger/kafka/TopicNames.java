// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Require;
import org.jspecify.annotations.Nullable;

/** Kafka's rule for topic names, checked here so that a bad one costs no question to the broker. */
final class TopicNames {

  private static final int CHARS_MAX = 249;

  private TopicNames() {}

  /** Returns the name if it can be a topic's. */
  static String checked(String name) {
    boolean valid =
        !name.isEmpty()
            && name.length() <= CHARS_MAX
            && !name.equals(".")
            && !name.equals("..")
            && name.chars().allMatch(TopicNames::isAllowed);
    if (!valid) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          "'"
              + name
              + "' is not a valid Kafka topic name: use 1 to 249 letters, digits, '.', '_', '-'");
    }
    return name;
  }

  /**
   * Checks a name from a receiver's configuration, where it may well be null.
   *
   * @param what it names
   */
  static void configured(String what, @Nullable String name) {
    try {
      checked(Require.nonNull("Kafka receiver's " + what, name));
    } catch (InvalidMessageException e) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, "the Kafka receiver's " + what + ": " + e.getMessage());
    }
  }

  private static boolean isAllowed(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '.'
        || c == '_'
        || c == '-';
  }
}
