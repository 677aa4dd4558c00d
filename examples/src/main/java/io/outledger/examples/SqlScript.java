// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** A service's own tables. A real service would use its migration tool. */
public final class SqlScript {

  private static final Pattern END_OF_STATEMENT = Pattern.compile(";\\s*\\R");

  private SqlScript() {}

  /**
   * Runs a script that does no harm where it ran before.
   *
   * @param owner the class beside which it lies
   * @param name its file name; each statement ends with a semicolon at the end of a line
   */
  public static void run(DataSource dataSource, Class<?> owner, String name) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : END_OF_STATEMENT.splitAsStream(read(owner, name)).toList()) {
        statement.execute(sql);
      }
    }
  }

  private static String read(Class<?> owner, String name) {
    try (InputStream in = Objects.requireNonNull(owner.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
