// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.page;

import io.outledger.jdbc.Schema;
import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Databases of one PostgreSQL. */
final class TestDatabase {

  private static final String TEMPLATE = template();

  private TestDatabase() {}

  static DataSource empty() {
    return dataSource(Postgres.shared().createDatabase());
  }

  private static DataSource dataSource(String name) {
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setUrl(Postgres.shared().jdbcUrl(name));
    return database;
  }

  /** A copy takes less time than a schema. */
  static DataSource withShopTables() {
    return dataSource(Postgres.shared().createDatabaseFrom(TEMPLATE));
  }

  private static String template() {
    String name = Postgres.shared().createDatabase();
    DataSource database = dataSource(name);
    Schema.of(database).apply(database);
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE orders (id TEXT); CREATE TABLE reservation (id TEXT)");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return name;
  }

  static List<String> rows(DataSource database, String query) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        lines.add(rows.getString(1));
      }
    }
    return lines;
  }
}
