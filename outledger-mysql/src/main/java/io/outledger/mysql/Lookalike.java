// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A server that speaks the protocol, and on which the proof of dead holes does not hold.
 *
 * @param name its name
 * @param sign what it says of its version, or in the comment on that
 */
record Lookalike(String name, Pattern sign) {

  private static final List<Lookalike> ALL =
      List.of(
          named("TiDB"),
          named("Vitess"),
          // Its comment tells how it was built, also where it shows a version of somebody's choice.
          new Lookalike("Vitess", Pattern.compile("^Version: .*\\(Git (revision|branch) ")),
          named("OceanBase"),
          named("SingleStore"),
          named("MemSQL"),
          named("StarRocks"),
          named("Doris"),
          named("PolarDB"));

  private static Lookalike named(String name) {
    return new Lookalike(name, Pattern.compile(name, Pattern.CASE_INSENSITIVE));
  }

  /**
   * Refuses a server that is one of them.
   *
   * @param said its version, or the comment on that
   * @throws ConfigurationException {@code OUT-020} if it is
   */
  static void refuse(String said) {
    for (Lookalike each : ALL) {
      if (each.sign().matcher(said).find()) {
        throw new ConfigurationException(
            ErrorCode.UNSUPPORTED_DATABASE,
            "the database is %s (%s), which speaks MySQL's protocol and has no locks that InnoDB's"
                    .formatted(each.name(), said)
                + " have: which positions of the ledger are final cannot be proven on it, and"
                + " messages would be lost; use %s, or %s"
                    .formatted(Recognition.MYSQL.supported(), Recognition.MARIADB.supported()));
      }
    }
  }
}
