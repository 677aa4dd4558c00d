// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import java.util.List;

/**
 * What MySQL and MariaDB say in different words.
 *
 * @param name its name
 * @param collation the collation of our tables: texts are equal only where their bytes are. MySQL
 *     has one that pads nothing from 8.0.17 on, and an older one takes that for a comment
 * @param sharedNoWait a part: locks the rows of {@code m} against changes, and fails at once where
 *     another transaction has changed one
 * @param uptime an expression: for how many seconds the server has run
 * @param session what our own sessions are set to, besides what both have
 */
record Product(
    String name, String collation, String sharedNoWait, String uptime, List<String> session) {

  static final Product MARIADB =
      new Product(
          "MariaDB",
          "utf8mb4_nopad_bin",
          " LOCK IN SHARE MODE NOWAIT",
          """
          (SELECT s.VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS s
            WHERE s.VARIABLE_NAME = 'UPTIME')\
          """,
          List.of("max_statement_time = 0"));

  static final Product MYSQL =
      new Product(
          "MySQL",
          "utf8mb4_bin /*!80017 COLLATE = utf8mb4_0900_bin */",
          " FOR SHARE OF m NOWAIT",
          """
          COALESCE((SELECT s.VARIABLE_VALUE FROM performance_schema.global_status s
                     WHERE s.VARIABLE_NAME = 'Uptime'), 0)\
          """,
          List.of("information_schema_stats_expiry = 0", "max_execution_time = 0"));
}
