// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** A service's settings, out of a properties file: passwords on a command line can be read. */
public final class Settings {

  private static final long CONNECTION_TIMEOUT_MS = 3_000;
  private static final long FIRST_CONNECTION_TIMEOUT_MS = 60_000;

  private final Properties properties;

  private Settings(Properties properties) {
    this.properties = properties;
  }

  /** Reads a file. */
  public static Settings of(String file) throws IOException {
    Properties properties = new Properties();
    try (BufferedReader lines = Files.newBufferedReader(Path.of(file))) {
      properties.load(lines);
    }
    return new Settings(properties);
  }

  /** Returns the TCP port of the service. */
  public int port() {
    return Integer.parseInt(text("port"));
  }

  /** Opens a small pool of connections. A database that is not up yet is waited for. */
  public HikariDataSource database() {
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl(text("database.url"));
    pool.setUsername(text("database.user"));
    pool.setPassword(text("database.password"));
    // Each statement sees what others have committed before it, whatever the database's default is.
    pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    pool.setMaximumPoolSize(Integer.parseInt(text("database.connections")));
    pool.setConnectionTimeout(CONNECTION_TIMEOUT_MS);
    pool.setInitializationFailTimeout(FIRST_CONNECTION_TIMEOUT_MS);
    return new HikariDataSource(pool);
  }

  /** Returns a setting. */
  public String text(String name) {
    String value = properties.getProperty(name);
    if (value == null) {
      throw new IllegalArgumentException("the setting " + name + " is missing");
    }
    return value;
  }
}
