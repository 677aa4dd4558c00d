// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import org.jspecify.annotations.Nullable;

/** Checks arguments where they are given. */
public final class Require {

  private Require() {}

  /**
   * Checks that something was given.
   *
   * @param name the parameter's name, for the error's text; for a setter, the setter's name
   * @param value the value
   * @return the same value
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public static <T> T nonNull(String name, @Nullable T value) {
    if (value == null) {
      throw new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, name + " must not be null");
    }
    return value;
  }

  /**
   * Checks that a text was given, and is one that a database can store or look for.
   *
   * @param name as for {@link #nonNull}
   * @return the same text
   * @throws ConfigurationException {@code OUT-021} if it is null, or {@link
   *     MessageLimits#isStorable} says no
   */
  public static String text(String name, @Nullable String value) {
    String given = nonNull(name, value);
    if (!MessageLimits.isStorable(given)) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          name + " contains a NUL or an unpaired surrogate, which no database stores");
    }
    return given;
  }
}
