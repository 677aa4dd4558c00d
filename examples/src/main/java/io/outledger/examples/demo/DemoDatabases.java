// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.stream.Collectors;

/** The databases that the demo can run on, by name. */
final class DemoDatabases {

  /** The one that is taken if none is named. */
  static final String DEFAULT = "postgresql";

  private static final Map<String, Start> ALL =
      Map.of(
          "h2", H2DemoDatabase::start,
          "mariadb", folder -> InnoDbDemoDatabase.mariaDb(),
          "mysql", folder -> InnoDbDemoDatabase.mySql(),
          "postgresql", folder -> PostgresDemoDatabase.start(),
          "sqlite", SqliteDemoDatabase::start);

  private DemoDatabases() {}

  /** Starts a database; the folder is for its files, if they are not those of a server. */
  interface Start {
    DemoDatabase in(Path folder) throws SQLException;
  }

  static boolean has(String name) {
    return ALL.containsKey(name);
  }

  /** Returns the names of all, for people. */
  static String names() {
    return ALL.keySet().stream().sorted().collect(Collectors.joining(", "));
  }

  /** Starts a database with what the shop needs in it. */
  static DemoDatabase start(String name, Path folder) throws SQLException {
    Start start = ALL.get(name);
    if (start == null) {
      throw new IllegalArgumentException("there is no database " + name);
    }
    return start.in(folder);
  }

  /** Returns a database's name and version, of one that runs in this process. */
  static String title(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      return title(connection);
    }
  }

  /** Returns the name and version of the database of a connection. */
  static String title(Connection connection) throws SQLException {
    DatabaseMetaData about = connection.getMetaData();
    return "%s %d.%d"
        .formatted(
            about.getDatabaseProductName(),
            about.getDatabaseMajorVersion(),
            about.getDatabaseMinorVersion());
  }
}
