// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.Schema;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.DatabaseProvider;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * SQLite, from version 3.35 on, in a file in WAL mode. It suffices that this module is on the class
 * path: {@link io.outledger.jdbc.Outledger} finds it. Use this class only to print or apply the
 * schema where it is known to be SQLite's. Thread-safe.
 *
 * <p>SQLite lets one transaction write at a time. A transaction that appends should begin as one
 * that writes, by the driver's {@code transaction_mode=IMMEDIATE}: one that has read first fails
 * where another has written since.
 */
public final class Sqlite implements DatabaseProvider {

  private static final String PRODUCT = "SQLite";
  private static final int OLDEST_MAJOR = 3;
  private static final int OLDEST_MINOR = 35;

  /** Creates it; for {@link java.util.ServiceLoader}. */
  public Sqlite() {}

  @Override
  public String supported() {
    return "%s %s.%s or later".formatted(PRODUCT, OLDEST_MAJOR, OLDEST_MINOR);
  }

  /** Returns the tables, without I/O. */
  public static Schema schema() {
    return Schema.of(new SqliteDatabase(new Tables()));
  }

  /** Always {@code main}: a transaction over two attached files is not one. */
  @Override
  public String schemaOf(Connection connection) {
    return Tables.SCHEMA;
  }

  @Override
  public Optional<Database> find(DatabaseMetaData metaData, @Nullable String schema)
      throws SQLException {
    if (!PRODUCT.equals(metaData.getDatabaseProductName())) {
      return Optional.empty();
    }
    int major = metaData.getDatabaseMajorVersion();
    int minor = metaData.getDatabaseMinorVersion();
    if (major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR)) {
      throw new ConfigurationException(
          ErrorCode.UNSUPPORTED_DATABASE,
          "the database is %s %s.%s; use %s %s.%s or later"
              .formatted(PRODUCT, major, minor, PRODUCT, OLDEST_MAJOR, OLDEST_MINOR));
    }
    if (schema != null && !schema.equals(Tables.SCHEMA)) {
      throw new ConfigurationException(
          ErrorCode.INVALID_NAME,
          "schema \""
              + schema
              + "\" cannot hold the tables: SQLite commits to attached files one after the other,"
              + " so a crash would part messages from what they tell of. Leave the schema out, or"
              + " name it main");
    }
    return Optional.of(new SqliteDatabase(new Tables()));
  }
}
