// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import java.util.regex.Pattern;

/** The rule for the name of a schema, so that it can be put into SQL between quotes. */
public final class SchemaName {

  private static final Pattern VALID = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

  private SchemaName() {}

  /**
   * Checks a name.
   *
   * @return the same name
   * @throws ConfigurationException {@code OUT-006} if it is not a letter or underscore and then up
   *     to 62 letters, digits or underscores; {@code OUT-021} if it is null
   */
  public static String check(String name) {
    Require.nonNull("name", name);
    if (!VALID.matcher(name).matches()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_NAME,
          "schema \""
              + name
              + "\" is not a valid name: use a letter or _ and then up to 62 letters, digits or _");
    }
    return name;
  }
}
