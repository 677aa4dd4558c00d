// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.jdbc.spi.SchemaName;

/**
 * The tables of one schema, by validated and quoted names: the only text that is ever put into SQL.
 *
 * @param schema the schema's name as it was configured, without quotes
 */
record Tables(String schema) {

  static final String DEFAULT_SCHEMA = "public";

  Tables {
    SchemaName.check(schema);
  }

  /** Puts the names into a statement, in which {@code {schema}} stands for the quoted schema. */
  String in(String sql) {
    return sql.replace("{schema}", quotedSchema());
  }

  String quotedSchema() {
    return '"' + schema + '"';
  }
}
