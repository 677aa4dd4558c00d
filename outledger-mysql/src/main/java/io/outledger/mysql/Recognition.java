// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.spi.Database;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Recognises a product, by what it says of its version: drivers and servers of both may be mixed.
 *
 * @param product which
 * @param major of the oldest version
 * @param minor of the oldest version
 */
record Recognition(Product product, int major, int minor) {

  static final Recognition MYSQL = new Recognition(Product.MYSQL, 8, 0);
  static final Recognition MARIADB = new Recognition(Product.MARIADB, 10, 6);

  String supported() {
    return "%s %s.%s or later".formatted(product.name(), major, minor);
  }

  Optional<Database> find(DatabaseMetaData metaData, @Nullable String schema) throws SQLException {
    String name = metaData.getDatabaseProductName();
    String version = metaData.getDatabaseProductVersion();
    if (!"MySQL".equals(name) && !"MariaDB".equals(name)) {
      return Optional.empty();
    }
    Lookalike.refuse(version);
    boolean isMariaDb = "MariaDB".equals(name) || version.contains("MariaDB");
    if (isMariaDb != product.equals(Product.MARIADB)) {
      return Optional.empty();
    }
    int[] found = numbers(version);
    if (found[0] < major || (found[0] == major && found[1] < minor)) {
      throw refused(
          "the database is %s %s; use %s".formatted(product.name(), version, supported()));
    }
    return Optional.of(
        new MySqlDatabase(new Tables(schema == null ? Tables.DEFAULT_SCHEMA : schema, product)));
  }

  /** Drivers differ in how they show that MariaDB says it is 5.5.5 first. */
  private static int[] numbers(String version) {
    String[] parts = version.replaceFirst("^5\\.5\\.5-", "").split("[^0-9]+", 3);
    return new int[] {number(parts, 0), number(parts, 1)};
  }

  private static int number(String[] parts, int at) {
    return parts.length > at && !parts[at].isEmpty() ? Integer.parseInt(parts[at]) : 0;
  }

  static @Nullable String schemaOf(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SELECT DATABASE()");
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getString(1);
    }
  }

  private static ConfigurationException refused(String text) {
    return new ConfigurationException(ErrorCode.UNSUPPORTED_DATABASE, text);
  }
}
