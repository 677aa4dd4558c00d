// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.Setting;
import java.util.OptionalInt;

/**
 * Compares the version of the tables that are there with the one that is needed, so that all
 * databases say the same.
 *
 * @param schema the schema's name as it was configured
 * @param needed the version that this release needs
 */
public record SchemaVersion(String schema, int needed) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public SchemaVersion {
    Require.nonNull("schema", schema);
  }

  /**
   * Refuses tables that are not exactly of the version needed.
   *
   * @param found the version that was found; empty where there are no tables
   * @throws ConfigurationException {@code OUT-003} if they are missing, {@code OUT-004} if they are
   *     older, {@code OUT-005} if they are newer
   */
  public void require(OptionalInt found) {
    Require.nonNull("found", found);
    if (found.isEmpty()) {
      throw new ConfigurationException(
          ErrorCode.SCHEMA_MISSING,
          "the tables of Outledger are not in schema \""
              + schema
              + "\", or the user may not see them: apply them with Schema.of(dataSource, \""
              + schema
              + "\").apply(dataSource), or run the SQL that print() returns; if they are in another"
              + " schema, name it: "
              + Setting.SCHEMA
              + "; if they are there, grant the user SELECT on outledger_schema, since a server"
              + " may hide what a user has no right on");
    }
    refuseNewer(found.getAsInt());
    if (found.getAsInt() < needed) {
      throw new ConfigurationException(
          ErrorCode.SCHEMA_OLDER,
          text(found.getAsInt()) + ": apply the missing scripts with Schema.apply(dataSource)");
    }
  }

  /**
   * Refuses tables that a later release has made.
   *
   * @throws ConfigurationException {@code OUT-005} if they are newer
   */
  public void refuseNewer(int found) {
    if (found > needed) {
      throw new ConfigurationException(
          ErrorCode.SCHEMA_NEWER,
          text(found) + ": this release is older; run a release that supports that version");
    }
  }

  private String text(int found) {
    return "the tables in schema \""
        + schema
        + "\" have version "
        + found
        + ", but this release of Outledger needs version "
        + needed;
  }
}
