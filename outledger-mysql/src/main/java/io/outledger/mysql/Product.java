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
 * @param server an expression: the id that a server keeps across restarts
 * @param uptime an expression: for how many seconds the server has run
 * @param session what our own sessions are set to, besides what both have
 * @param refused settings under which a promise does not hold
 */
record Product(
    String name,
    String collation,
    String sharedNoWait,
    String server,
    String uptime,
    List<String> session,
    List<Setting> refused) {

  /**
   * A setting that is checked at the start.
   *
   * @param name of the variable
   * @param values those with which all promises hold; a server that does not know it has the first
   * @param why what would be wrong, and what to do
   */
  record Setting(String name, List<String> values, String why) {}

  private static final Setting INCREMENT =
      new Setting(
          "auto_increment_increment",
          List.of("1"),
          "so a server gives out every nth number, as where several servers take writes: set it to"
              + " 1; replication with several primaries is not supported");
  private static final Setting READ_ONLY =
      new Setting(
          "read_only",
          List.of("OFF"),
          "so this is a replica, or takes no writes: connect to the primary server");

  static final Product MARIADB =
      new Product(
          "MariaDB",
          "utf8mb4_nopad_bin",
          " LOCK IN SHARE MODE NOWAIT",
          "@@server_uid",
          """
          (SELECT s.VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS s
            WHERE s.VARIABLE_NAME = 'UPTIME')\
          """,
          List.of(),
          List.of(
              INCREMENT,
              READ_ONLY,
              new Setting(
                  "wsrep_on",
                  List.of("OFF"),
                  "so this is a Galera cluster, whose servers do not see each other's locks, and"
                      + " messages could be lost: use a server without Galera")));

  static final Product MYSQL =
      new Product(
          "MySQL",
          "utf8mb4_bin /*!80017 COLLATE = utf8mb4_0900_bin */",
          " FOR SHARE OF m NOWAIT",
          "@@server_uuid",
          """
          COALESCE((SELECT s.VARIABLE_VALUE FROM performance_schema.global_status s
                     WHERE s.VARIABLE_NAME = 'Uptime'), 0)\
          """,
          List.of("information_schema_stats_expiry = 0"),
          List.of(
              INCREMENT,
              READ_ONLY,
              new Setting(
                  "super_read_only",
                  List.of("OFF"),
                  "so this is a replica, or takes no writes: connect to the primary server"),
              new Setting(
                  "group_replication_single_primary_mode",
                  List.of("ON"),
                  "so several servers of a group take writes, which do not see each other's locks,"
                      + " and messages could be lost: use one primary")));
}
