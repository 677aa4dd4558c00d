// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.util.regex.Pattern;

/**
 * The tables of one schema, by validated and quoted names: the only text that is ever put into SQL.
 *
 * @param schema the schema's name as it was configured, without quotes
 */
record Tables(String schema) {

  static final String DEFAULT_SCHEMA = "PUBLIC";

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

  Tables {
    if (!NAME.matcher(schema).matches()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_NAME,
          "schema \""
              + schema
              + "\" is not a valid name: use a letter or _ and then up to 62 letters, digits or _");
    }
  }

  /**
   * Puts the names into a statement, in which {@code {schema}} stands for the quoted schema, and
   * {@code {name}} for its name as a text.
   */
  String in(String sql) {
    return sql.replace("{schema}", quotedSchema()).replace("{name}", "'" + schema + "'");
  }

  String quotedSchema() {
    return '"' + schema + '"';
  }
}
