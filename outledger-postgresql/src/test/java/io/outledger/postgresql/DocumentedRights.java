// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The rights that the document on the schema lists for somebody, read out of its table. */
record DocumentedRights(List<Right> rights) {

  private static final String PRIVILEGES = "((?:`[A-Z][^`]*`(?: and |, )?)+)";
  private static final String OBJECTS = "((?:`outledger_\\w+`(?:, | and )?)+)";
  private static final Pattern PHRASE = Pattern.compile(PRIVILEGES + " on " + OBJECTS);
  private static final Pattern QUOTED = Pattern.compile("`([^`]*)`");
  private static final Pattern PRIVILEGE = Pattern.compile("([A-Z]+)( \\([^)]*\\))?");

  /** One privilege, possibly on some columns alone, on one table, sequence or view. */
  record Right(String privilege, String object) {

    private String grant() {
      boolean sequence = object.equals("outledger_message_position");
      return "GRANT " + privilege + " ON " + (sequence ? "SEQUENCE " : "TABLE ") + object + " TO ";
    }
  }

  /** Returns what is listed for whoever a row of the table begins with. */
  static DocumentedRights of(String who) {
    String row =
        lines().stream()
            .filter(line -> line.startsWith("| " + who))
            .findFirst()
            .orElseThrow(() -> new AssertionError("the document does not tell of " + who));
    List<Right> rights = new ArrayList<>();
    Matcher phrase = PHRASE.matcher(row);
    while (phrase.find()) {
      for (String object : quoted(phrase.group(2))) {
        for (String privileges : quoted(phrase.group(1))) {
          Matcher privilege = PRIVILEGE.matcher(privileges);
          while (privilege.find()) {
            rights.add(new Right(privilege.group(), object));
          }
        }
      }
    }
    return new DocumentedRights(List.copyOf(rights));
  }

  DocumentedRights without(Right right) {
    return new DocumentedRights(rights.stream().filter(each -> !each.equals(right)).toList());
  }

  /** Makes a role that may log in and has these rights alone, and logs in as it. */
  DataSource grantedIn(StoreDatabase database, String name) throws SQLException {
    String role = name + "_" + database.name() + "_" + rights.size();
    StringBuilder sql = new StringBuilder();
    sql.append("REVOKE ALL ON SCHEMA public FROM PUBLIC;");
    sql.append("CREATE ROLE %1$s LOGIN PASSWORD 'p'; ".formatted(role));
    sql.append("GRANT USAGE ON SCHEMA public TO %1$s; ".formatted(role));
    rights.forEach(right -> sql.append(right.grant()).append(role).append("; "));
    database.execute(sql.toString());
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(
        "jdbc:postgresql://127.0.0.1:" + database.server().port() + "/" + database.name());
    source.setUser(role);
    source.setPassword("p");
    return source;
  }

  private static List<String> quoted(String text) {
    return QUOTED.matcher(text).results().map(found -> found.group(1)).toList();
  }

  /** The tests run in the folder of their module. */
  private static List<String> lines() {
    try {
      return Files.readAllLines(Path.of("..", "docs", "schema.md"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
