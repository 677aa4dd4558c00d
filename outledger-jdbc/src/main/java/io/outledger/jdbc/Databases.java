// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.StoreException;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.DatabaseProvider;
import io.outledger.jdbc.spi.RedactedSqlException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Finds the module that supports a database, among those on the class path. */
final class Databases {

  private Databases() {}

  /**
   * Asks a data source, over one connection, what database it is.
   *
   * @param schema the schema that holds the tables; null for the one that the connection finds them
   *     in, else for its current one
   * @throws ConfigurationException {@code OUT-020} if no module supports it, {@code OUT-006} if the
   *     schema's name is not valid
   * @throws StoreException {@code OUT-016} if the database cannot be reached
   */
  static Database find(DataSource dataSource, @Nullable String schema) {
    return located(dataSource, schema).database();
  }

  /**
   * A database, and where it is.
   *
   * @param address without user and password
   */
  record Located(Database database, String address) {}

  /** The same, with the address of the database that answered. */
  static Located located(DataSource dataSource, @Nullable String schema) {
    try (Connection connection = Require.nonNull("dataSource", dataSource).getConnection()) {
      DatabaseProvider provider = provider(connection);
      String wanted = schema == null ? schemaOf(provider, connection) : schema;
      return new Located(database(provider, connection, wanted), AppendTargets.address(connection));
    } catch (SQLException e) {
      throw unreachable(e);
    }
  }

  private static @Nullable String schemaOf(DatabaseProvider provider, Connection connection)
      throws SQLException {
    String schema = provider.schemaOf(connection);
    if (!connection.getAutoCommit()) {
      connection.rollback(); // what asking has begun
    }
    return schema;
  }

  /** The same in the product's own schema, over a connection on which no statement is executed. */
  static Database find(Connection connection) {
    try {
      return database(provider(connection), connection, null);
    } catch (SQLException e) {
      throw unreachable(e);
    }
  }

  private static Database database(
      DatabaseProvider provider, Connection connection, @Nullable String schema)
      throws SQLException {
    return provider.find(connection.getMetaData(), schema).orElseThrow();
  }

  private static DatabaseProvider provider(Connection connection) throws SQLException {
    DatabaseMetaData metaData = connection.getMetaData();
    List<String> supported = new ArrayList<>();
    for (DatabaseProvider provider :
        ServiceLoader.load(DatabaseProvider.class, DatabaseProvider.class.getClassLoader())) {
      if (provider.find(metaData, null).isPresent()) {
        return provider;
      }
      supported.add(provider.supported());
    }
    throw unsupported(
        metaData.getDatabaseProductName() + " " + metaData.getDatabaseMajorVersion(), supported);
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
  static ConfigurationException unsupported(String product, List<String> supported) {
    String found =
        supported.isEmpty()
            ? "no module for a database is on the class path"
            : "the modules on the class path support " + String.join(" and ", supported);
    return new ConfigurationException(
        ErrorCode.UNSUPPORTED_DATABASE,
        "the database is "
            + product
            + ", but "
            + found
            + ": add the module of this database (outledger-postgresql, outledger-mysql for MySQL"
            + " and MariaDB, outledger-sqlite or outledger-h2), or use one that is supported");
  }
}
