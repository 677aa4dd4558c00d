// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import org.jspecify.annotations.Nullable;

/** Checks that required arguments are not null. */
public final class Given {

  private Given() {}

  /**
   * Checks that something was given.
   *
   * @param name the parameter's name, for the error's text; for a setter, the setter's name
   * @param value the value
   * @return the same value
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public static <T> T check(String name, @Nullable T value) {
    if (value == null) {
      throw new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, name + " must not be null");
    }
    return value;
  }
}
