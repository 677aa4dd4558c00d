// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The rights of a connector's role in the database, as the document on the schema lists them. */
final class DocumentedRole {

  private static final Pattern QUOTED = Pattern.compile("`([^`]*)`");
  private static final List<String> ROWS = List.of("| a relay |", "| a purge |");

  private DocumentedRole() {}

  /** Returns the statements that make the role, which may log in and do nothing else. */
  static List<String> statements(String role, String password) throws IOException {
    List<String> statements = new ArrayList<>();
    statements.add("CREATE ROLE %s LOGIN PASSWORD '%s'".formatted(role, password));
    statements.add("GRANT USAGE ON SCHEMA public TO " + role);
    for (String line : Files.readAllLines(Path.of("..", "docs", "schema.md"))) {
      if (ROWS.stream().anyMatch(line::startsWith)) {
        for (String phrase : line.split(";", -1)) {
          statements.addAll(grants(phrase, role));
        }
      }
    }
    return statements;
  }

  private static List<String> grants(String phrase, String role) {
    int on = phrase.indexOf(" on `");
    if (on < 0) {
      return List.of();
    }
    String privileges = String.join(", ", quoted(phrase.substring(0, on)));
    return quoted(phrase.substring(on)).stream()
        .map(
            object ->
                "GRANT %s ON %s %s TO %s"
                    .formatted(
                        privileges,
                        object.equals("outledger_message_position") ? "SEQUENCE" : "TABLE",
                        object,
                        role))
        .toList();
  }

  private static List<String> quoted(String text) {
    return QUOTED.matcher(text).results().map((MatchResult found) -> found.group(1)).toList();
  }
}
