// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Message;

/**
 * From messages to topics of Kafka.
 *
 * @param pattern a text in which two placeholders stand for the message's topic and type
 */
record TopicName(String pattern) {

  /** Each message goes to the topic of its own name. */
  static final String OF_MESSAGE = "{topic}";

  private static final String OF_TYPE = "{type}";
  private static final int CHARS_MAX = 249;

  TopicName {
    String filled = filled(pattern, "t", "t");
    if (!isValid(filled)) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "topic must have letters, digits, '.', '_', '-', {topic} and {type} alone");
    }
  }

  /** Returns the name of a message's topic, which may be none that Kafka allows. */
  String of(Message message) {
    return filled(pattern, message.topic(), message.type());
  }

  private static String filled(String pattern, String topic, String type) {
    StringBuilder name = new StringBuilder();
    int at = 0;
    while (at < pattern.length()) {
      if (pattern.startsWith(OF_MESSAGE, at)) {
        name.append(topic);
        at += OF_MESSAGE.length();
      } else if (pattern.startsWith(OF_TYPE, at)) {
        name.append(type);
        at += OF_TYPE.length();
      } else {
        name.append(pattern.charAt(at));
        at++;
      }
    }
    return name.toString();
  }

  /**
   * Checks the name of a topic.
   *
   * @throws ConfigurationException if Kafka allows no topic of this name
   */
  static String checked(String name) {
    if (!isValid(name)) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "Kafka allows no topic of this name: it has 1 to "
              + CHARS_MAX
              + " letters, digits, '.', '_' and '-', and is not '.' or '..'");
    }
    return name;
  }

  /** Returns whether Kafka allows a topic of this name. */
  static boolean isValid(String name) {
    return !name.isEmpty()
        && name.length() <= CHARS_MAX
        && !name.equals(".")
        && !name.equals("..")
        && name.chars()
            .allMatch(
                c ->
                    (c >= 'a' && c <= 'z')
                        || (c >= 'A' && c <= 'Z')
                        || (c >= '0' && c <= '9')
                        || c == '.'
                        || c == '_'
                        || c == '-');
  }
}
