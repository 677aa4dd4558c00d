// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Names of a broker's topics, queues and the like, made of a pattern and a message's topic. */
final class Naming {

  /** The pattern of the message's own topic. */
  static final String SAME = "{topic}";

  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^}]*)}");

  private Naming() {}

  /**
   * Returns a function from a message's topic to a name.
   *
   * @param property the pattern's property
   * @throws ConfigurationException {@code OUT-021} if the pattern is blank or has another
   *     placeholder
   */
  static UnaryOperator<String> of(String property, String pattern) {
    PLACEHOLDER
        .matcher(pattern)
        .results()
        .map(each -> each.group(1))
        .filter(name -> !name.equals("topic"))
        .findFirst()
        .ifPresent(
            name -> {
              throw invalid(
                  property + " has the placeholder {" + name + "}; there is only " + SAME);
            });
    if (pattern.isBlank()) {
      throw invalid(property + " must not be blank");
    }
    return pattern.equals(SAME) ? UnaryOperator.identity() : topic -> pattern.replace(SAME, topic);
  }

  private static ConfigurationException invalid(String text) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, text);
  }
}
