// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import java.util.List;

/**
 * A variable of the server on which a promise rests. The promises rest on InnoDB, whoever has built
 * the server around it: all conditions are asked of every server, under whatever name it answers.
 *
 * @param variable a global one; what has a value for the session alone is not listed here
 * @param values those with which all promises hold; a server that does not know the variable has
 *     the first
 * @param why what would be wrong, and what to do
 */
record Condition(String variable, List<String> values, String why) {

  private static final String REPLICA =
      "so this is a replica, or takes no writes: connect to the primary server";
  private static final String GALERA =
      "so this is a Galera cluster, whose servers do not see each other's locks, and messages could"
          + " be lost: use a server without Galera";

  static final List<Condition> ALL =
      List.of(
          new Condition(
              "auto_increment_increment",
              List.of("1"),
              "so a server gives out every nth number, as where several servers take writes: set it"
                  + " to 1; replication with several primaries is not supported"),
          new Condition("read_only", List.of("OFF"), REPLICA),
          new Condition("super_read_only", List.of("OFF"), REPLICA),
          new Condition("wsrep_on", List.of("OFF"), GALERA),
          // What is built on MySQL has wsrep_on in its sessions, and shows this one globally.
          new Condition("wsrep_provider", List.of("none", ""), GALERA),
          new Condition(
              "group_replication_single_primary_mode",
              List.of("ON"),
              "so several servers of a group take writes, which do not see each other's locks, and"
                  + " messages could be lost: use one primary"));
}
