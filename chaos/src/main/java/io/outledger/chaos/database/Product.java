// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.database;

import com.mysql.cj.jdbc.MysqlDataSource;
import io.outledger.jdbc.Schema;
import io.outledger.servers.MariaDb;
import io.outledger.servers.MySql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A database on which the shop can be. */
public enum Product {
  /** PostgreSQL. */
  POSTGRESQL,
  /** MariaDB. */
  MARIADB,
  /** MySQL. */
  MYSQL;

  /** Returns the product of that name. */
  public static Optional<Product> of(String word) {
    return Arrays.stream(values()).filter(one -> one.word().equals(word)).findFirst();
  }

  /** Returns all names. */
  public static List<String> words() {
    return Arrays.stream(values()).map(Product::word).toList();
  }

  /** Returns the product of a database's URL. */
  public static Product ofUrl(String jdbcUrl) {
    return of(jdbcUrl.split(":", 3)[1]).orElseThrow();
  }

  /** Returns its name on a command line, such as {@code mariadb}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns what the shop says to it. */
  public ShopSql sql() {
    return this == POSTGRESQL ? new PostgresSql() : new MySqlSql();
  }

  /**
   * Starts a server of MariaDB or MySQL.
   *
   * @throws IllegalStateException on PostgreSQL, whose servers need more to be said
   */
  public DatabaseServer startServer() {
    return switch (this) {
      case MARIADB -> new MySqlServer(word(), MariaDb.start(MySqlServer.SETTINGS));
      case MYSQL -> new MySqlServer(word(), MySql.start(MySqlServer.SETTINGS));
      case POSTGRESQL -> throw new IllegalStateException("see PostgresBuilder");
    };
  }

  /** Makes a database of the shop, with all tables and without messages, and returns its name. */
  public static String createShop(DatabaseServer server) throws SQLException {
    String name = server.createDatabase();
    DataSource dataSource = dataSource(server.jdbcUrl(name), "shop");
    Schema.of(dataSource).apply(dataSource);
    try (Connection connection = server.connect(name);
        Statement statement = connection.createStatement()) {
      for (String sql : ofUrl(server.jdbcUrl(name)).sql().tables()) {
        statement.execute(sql);
      }
    }
    return name;
  }

  /**
   * Returns a data source that opens a connection each time, and waits two seconds for it.
   *
   * @param jdbcUrl with user and password
   * @param name the application's, where the server shows it
   */
  public static DataSource dataSource(String jdbcUrl, String name) {
    try {
      return switch (ofUrl(jdbcUrl)) {
        case POSTGRESQL -> postgres(jdbcUrl, name);
        case MARIADB -> new MariaDbDataSource(jdbcUrl);
        case MYSQL -> mySql(jdbcUrl);
      };
    } catch (SQLException e) {
      throw new IllegalStateException("a URL that cannot be used", e);
    }
  }

  private static DataSource postgres(String jdbcUrl, String name) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setURL(jdbcUrl);
    dataSource.setConnectTimeout(2);
    dataSource.setApplicationName(name);
    return dataSource;
  }

  private static DataSource mySql(String jdbcUrl) {
    MysqlDataSource dataSource = new MysqlDataSource();
    dataSource.setUrl(jdbcUrl);
    return dataSource;
  }
}
