// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Printable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.utils.AppInfoParser;

/**
 * The version of Kafka's client on the class path, which an application or its framework chooses.
 *
 * @param text such as {@code 4.3.1}
 */
record ClientVersion(String text) {

  private static final Pattern NUMBERS = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})(?!\\d).*");

  static ClientVersion current() {
    return new ClientVersion(AppInfoParser.getVersion());
  }

  /**
   * Refuses a client that is too old. One whose version is not told is taken for new enough.
   *
   * @param what needs it, for people
   * @throws ConfigurationException {@code OUT-021}
   */
  void require(int major, int minor, String what) {
    Matcher numbers = NUMBERS.matcher(text);
    if (!numbers.matches()) {
      return;
    }
    int ours = Integer.parseInt(numbers.group(1));
    if (ours < major || (ours == major && Integer.parseInt(numbers.group(2)) < minor)) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "%s need kafka-clients %s.%s or newer, but %s is on the class path"
              .formatted(what, major, minor, Printable.value(text)));
    }
  }
}
