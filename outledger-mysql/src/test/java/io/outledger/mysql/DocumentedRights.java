// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What docs/databases.md says that a user needs. */
final class DocumentedRights {

  private static final Path PAGE = Path.of("..", "docs", "databases.md");
  private static final Pattern GRANT =
      Pattern.compile("^GRANT (.+ ON )shop(\\..+) TO '(\\w+)'@'%';$", Pattern.MULTILINE);
  private static final Pattern RIGHT = Pattern.compile("`([A-Z]+(?: [A-Z]+)?)`");
  private static final String ON_MYSQL = "; on MySQL ";
  private static final String ON_EARLY_VERSIONS = "SELECT ON *.*";

  private DocumentedRights() {}

  /**
   * Returns the rights in a line of the table: what is said of MySQL, on MySQL alone.
   *
   * @param who the line's first column
   * @param on a table, or {@code *}
   */
  static List<String> of(String who, String on, TestDatabase database) {
    String line =
        page().lines().filter(each -> each.startsWith("| " + who + " |")).findAny().orElseThrow();
    String[] said = line.split("\\. ", 2)[0].split(ON_MYSQL, 2);
    boolean isMore = said.length == 2 && database.tables().product().equals(Product.MYSQL);
    return RIGHT
        .matcher(isMore ? said[0] + said[1] : said[0])
        .results()
        .map(right -> right.group(1) + " ON {schema}." + on)
        .toList();
  }

  /** Returns what is granted to whoever only appends. */
  static List<String> ofWriter() {
    return granted("orders");
  }

  /** Returns what is granted to whoever does the rest, and what an early version asks besides. */
  static List<String> ofRelay(TestDatabase database) {
    List<String> rights = new ArrayList<>(granted("relay"));
    if (isEarly(database)) {
      assertThat(page()).contains("`GRANT " + ON_EARLY_VERSIONS + " TO 'relay'@'%'`");
      rights.add(ON_EARLY_VERSIONS);
    }
    return rights;
  }

  /** Returns whether the server is one that asks whoever uses JSON_TABLE for more. */
  static boolean isEarly(TestDatabase database) {
    return database.text("SELECT VERSION()").equals("8.0.12");
  }

  private static List<String> granted(String user) {
    return GRANT
        .matcher(page())
        .results()
        .filter(grant -> grant.group(3).equals(user))
        .map(grant -> grant.group(1) + "{schema}" + grant.group(2))
        .toList();
  }

  private static String page() {
    try {
      return Files.readString(PAGE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
