// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Given;
import io.outledger.StoreException;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.DatabaseProvider;
import io.outledger.jdbc.spi.RedactedSqlException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Finds the module that supports a database, among those on the class path. */
final class Databases {

  /** The modules of this release, by the product that each supports: for the error's text alone. */
  private static final Map<String, String> MODULES =
      Map.of("PostgreSQL", "outledger-postgresql", "H2", "outledger-h2");

  private Databases() {}

  /**
   * Asks a data source, over one connection, what database it is.
   *
   * @param schema the schema that holds the tables; null for the product's default
   * @throws ConfigurationException {@code OUT-020} if no module supports it, {@code OUT-006} if the
   *     schema's name is not valid
   * @throws StoreException {@code OUT-016} if the database cannot be reached
   */
  static Database find(DataSource dataSource, @Nullable String schema) {
    try (Connection connection = Given.check("dataSource", dataSource).getConnection()) {
      return find(connection, schema);
    } catch (SQLException e) {
      throw unreachable(e);
    }
  }

  /** The same for a connection, over which no statement is executed. */
  static Database find(Connection connection, @Nullable String schema) {
    try {
      DatabaseMetaData metaData = connection.getMetaData();
      for (DatabaseProvider provider :
          ServiceLoader.load(DatabaseProvider.class, DatabaseProvider.class.getClassLoader())) {
        Optional<Database> database = provider.find(metaData, schema);
        if (database.isPresent()) {
          return database.get();
        }
      }
      throw unsupported(metaData.getDatabaseProductName(), metaData.getDatabaseMajorVersion());
    } catch (SQLException e) {
      throw unreachable(e);
    }
  }

  private static StoreException unreachable(SQLException failure) {
    return new StoreException(
        ErrorCode.STORE_UNAVAILABLE,
        "could not connect to the database; check that it is up, and its address, user and"
            + " password: "
            + RedactedSqlException.firstLine(failure),
        RedactedSqlException.of(failure));
  }

  /** Says what to add, or what there is instead. */
  static ConfigurationException unsupported(String product, int version) {
    String module = MODULES.get(product);
    String advice =
        module == null
            ? "Outledger does not support it; use PostgreSQL 13 or later with"
                + " outledger-postgresql, or H2 2.2 or later with outledger-h2"
            : "the module that supports it is not on the class path: add " + module;
    return new ConfigurationException(
        ErrorCode.UNSUPPORTED_DATABASE,
        "the database is " + product + " " + version + "; " + advice);
  }
}
