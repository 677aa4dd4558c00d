// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.Setting;

/** Refuses a connection whose current schema is not the one that has the tables. */
public final class UnclearSchema {

  private UnclearSchema() {}

  /**
   * Returns the exception to throw.
   *
   * @param current the connection's current schema, which has no tables of Outledger
   * @param other the schema that has some
   */
  public static ConfigurationException of(String current, String other) {
    Require.nonNull("current", current);
    Require.nonNull("other", other);
    return new ConfigurationException(
        ErrorCode.INVALID_CONFIGURATION,
        """
        the connection's current schema is %1$s, which has no tables of Outledger, and schema %2$s \
        has some. Name the one that is meant by %3$s: %1$s for tables of its own, or %2$s for \
        those that are there\
        """
            .formatted(current, other, Setting.SCHEMA));
  }
}
