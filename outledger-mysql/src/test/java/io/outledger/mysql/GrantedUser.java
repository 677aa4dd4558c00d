// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** A user of a test's database who has no rights but those that the test grants. */
final class GrantedUser {

  private final TestDatabase database;
  private final String name = "outledger_" + UUID.randomUUID().toString().substring(0, 8);

  /**
   * Creates the user.
   *
   * @param grants rights and on what, such as {@code SELECT ON {schema}.*}
   */
  GrantedUser(TestDatabase database, List<String> grants) {
    this.database = database;
    database.execute(
        "CREATE USER %s IDENTIFIED BY '%s'".formatted(account(), database.server().password()));
    grants.forEach(this::grant);
  }

  void grant(String rights) {
    database.execute("GRANT " + rights + " TO " + account());
  }

  DataSource dataSource() {
    return database.dataSource(name, "");
  }

  private String account() {
    return "'" + name + "'@'127.0.0.1'";
  }
}
