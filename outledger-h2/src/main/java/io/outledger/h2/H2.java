// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.Schema;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.DatabaseProvider;
import io.outledger.jdbc.spi.UnclearSchema;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * H2, from version 2.2 on. It suffices that this module is on the class path: {@link
 * io.outledger.jdbc.Outledger} finds it. Use this class only to print or apply the schema where it
 * is known to be H2's. Thread-safe.
 *
 * <p>A relay logs in as an administrator, because H2 shows others only their own locks. H2 writes
 * commits to the disk up to half a second later: after a power failure a relay may have published
 * what the database has forgotten.
 */
public final class H2 implements DatabaseProvider {

  private static final String PRODUCT = "H2";
  private static final int OLDEST_MAJOR = 2;
  private static final int OLDEST_MINOR = 2;

  /** Creates it; for {@link java.util.ServiceLoader}. */
  public H2() {}

  @Override
  public String supported() {
    return "%s %s.%s or later".formatted(PRODUCT, OLDEST_MAJOR, OLDEST_MINOR);
  }

  /** Returns the tables in the schema {@code PUBLIC}, without I/O. */
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
    return Schema.of(new H2Database(new Tables(name)));
  }

  @Override
  public @Nullable String schemaOf(Connection connection) throws SQLException {
    String current = connection.getSchema();
    if (current != null
        && !H2Schema.isIn(connection, current)
        && H2Schema.isIn(connection, Tables.DEFAULT_SCHEMA)) {
      throw UnclearSchema.of(current, Tables.DEFAULT_SCHEMA);
    }
    return current;
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
    return Optional.of(new H2Database(new Tables(schema == null ? Tables.DEFAULT_SCHEMA : schema)));
  }
}
