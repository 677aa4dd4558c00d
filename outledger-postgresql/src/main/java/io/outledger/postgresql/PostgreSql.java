// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.Schema;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.DatabaseProvider;
import io.outledger.jdbc.spi.UnclearSchema;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL, from version 13 on, with the encoding UTF8. It suffices that this module is on the
 * class path: {@link io.outledger.jdbc.Outledger} finds it. Use this class only to print or apply
 * the schema where it is known to be PostgreSQL's. Thread-safe.
 */
public final class PostgreSql implements DatabaseProvider {

  private static final String PRODUCT = "PostgreSQL";
  private static final int OLDEST = 13;

  /** Creates it; for {@link java.util.ServiceLoader}. */
  public PostgreSql() {}

  @Override
  public String supported() {
    return PRODUCT + " " + OLDEST + " or later";
  }

  /** Returns the tables in the schema {@code public}, without I/O. */
  public static Schema schema() {
    return schema(Tables.DEFAULT_SCHEMA);
  }

  /**
   * Returns the tables in a schema of the given name, without I/O.
   *
   * @param name a letter or {@code _}, then up to 62 letters, digits or {@code _}; used as it is
   *     written, upper and lower case apart
   * @throws ConfigurationException {@code OUT-006} if it is not a valid name
   */
  public static Schema schema(String name) {
    return Schema.of(new PostgresDatabase(new Tables(name)));
  }

  // Catalogues alone, as the role may not read the tables.
  private static final String SCHEMA =
      """
      SELECT current_schema(),
             (SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
               WHERE c.oid = to_regclass('outledger_schema')),
             to_regclass('public.outledger_schema') IS NOT NULL\
      """;

  @Override
  public @Nullable String schemaOf(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SCHEMA);
        ResultSet row = statement.executeQuery()) {
      row.next();
      String current = row.getString(1);
      String found = row.getString(2);
      if (found == null && current != null && row.getBoolean(3)) {
        throw UnclearSchema.of(current, Tables.DEFAULT_SCHEMA);
      }
      return found == null ? current : found;
    }
  }

  @Override
  public Optional<Database> find(DatabaseMetaData metaData, @Nullable String schema)
      throws SQLException {
    if (!PRODUCT.equals(metaData.getDatabaseProductName())) {
      return Optional.empty();
    }
    int version = metaData.getDatabaseMajorVersion();
    if (version < OLDEST) {
      throw new ConfigurationException(
          ErrorCode.UNSUPPORTED_DATABASE,
          "the database is %s %s; use %s %s or later".formatted(PRODUCT, version, PRODUCT, OLDEST));
    }
    return Optional.of(
        new PostgresDatabase(new Tables(schema == null ? Tables.DEFAULT_SCHEMA : schema)));
  }
}
