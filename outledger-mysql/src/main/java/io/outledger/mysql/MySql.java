// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.ConfigurationException;
import io.outledger.jdbc.Schema;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.DatabaseProvider;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * MySQL, from version 8.0 on, with InnoDB. It suffices that this module and a driver are on the
 * class path: {@link io.outledger.jdbc.Outledger} finds it. Use this class only to print or apply
 * the schema where it is known to be MySQL's. Thread-safe.
 *
 * <p>A schema is what MySQL calls a database.
 */
public final class MySql implements DatabaseProvider {

  /** Creates it; for {@link java.util.ServiceLoader}. */
  public MySql() {}

  @Override
  public String supported() {
    return Recognition.MYSQL.supported();
  }

  /** Returns the tables in the database {@code outledger}, without I/O. */
  public static Schema schema() {
    return schema(Tables.DEFAULT_SCHEMA);
  }

  /**
   * Returns the tables in a database of the given name, without I/O.
   *
   * @param name a letter or {@code _}, then up to 62 letters, digits or {@code _}; used as it is
   *     written
   * @throws ConfigurationException {@code OUT-006} if it is not a valid name
   */
  public static Schema schema(String name) {
    return Schema.of(new MySqlDatabase(new Tables(name, Product.MYSQL)));
  }

  @Override
  public @Nullable String schemaOf(Connection connection) throws SQLException {
    return Recognition.schemaOf(connection);
  }

  @Override
  public Optional<Database> find(DatabaseMetaData metaData, @Nullable String schema)
      throws SQLException {
    return Recognition.MYSQL.find(metaData, schema);
  }
}
