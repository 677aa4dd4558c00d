// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import org.jspecify.annotations.Nullable;

/** Properties without which nothing can be done. */
final class Required {

  private Required() {}

  /**
   * Returns a property's value.
   *
   * @param path the properties that it is among
   * @throws ConfigurationException {@code OUT-021} if it is missing
   */
  static String text(String path, String name, @Nullable String value) {
    if (value == null || value.isBlank()) {
      throw missing(path, name);
    }
    return value;
  }

  static ConfigurationException missing(String path, String name) {
    return new ConfigurationException(
        ErrorCode.INVALID_CONFIGURATION, path + "." + name + " is missing: set it");
  }
}
