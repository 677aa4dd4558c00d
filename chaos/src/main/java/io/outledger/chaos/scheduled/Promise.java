// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.scheduled;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * What holds of all scheduled messages once they have come to rest. Each is asked of the tables
 * alone: a query returns what breaks it. What somebody believed is in the tables of {@link Plans}.
 */
enum Promise {
  DELIVERED(
      "neither cancelled nor replaced, and not delivered",
      """
      SELECT p.message_id FROM planned p
       WHERE NOT EXISTS (SELECT FROM outledger_message m WHERE m.id = p.message_id)
         AND NOT EXISTS (SELECT FROM cancelled c WHERE c.message_id = p.message_id)
         AND NOT EXISTS (SELECT FROM planned next WHERE next.replaces = p.message_id)\
      """),
  NEVER_TWICE(
      "more than once in the ledger",
      "SELECT m.id FROM outledger_message m GROUP BY m.id HAVING count(*) > 1"),
  ONE_EFFECT(
      "handled not once",
      """
      SELECT m.id FROM outledger_message m LEFT JOIN handled h ON h.message_id = m.id
       GROUP BY m.id HAVING count(h.message_id) <> 1\
      """),
  CANCELLED_FOR_GOOD(
      "cancelled, and delivered",
      """
      SELECT c.message_id FROM cancelled c
       WHERE EXISTS (SELECT FROM outledger_message m WHERE m.id = c.message_id)\
      """),
  CANCELLED_ONCE(
      "cancelled more than once",
      "SELECT c.message_id FROM cancelled c GROUP BY c.message_id HAVING count(*) > 1"),
  REPLACED_FOR_GOOD(
      "replaced, and delivered after what took its place",
      """
      SELECT p.message_id FROM planned next
        JOIN planned p ON p.message_id = next.replaces
        JOIN outledger_message m ON m.id = p.message_id
        JOIN outledger_message n ON n.id = next.message_id
       WHERE m.position > n.position\
      """),
  NEVER_EARLY(
      "in the ledger before its time",
      """
      SELECT p.message_id FROM planned p JOIN outledger_message m ON m.id = p.message_id
       WHERE m.appended_at < p.not_before\
      """),
  IN_ORDER(
      "due with another one of its key that was scheduled later, and behind it",
      """
      SELECT o.message_id
        FROM (SELECT p.message_id, p.n,
                     max(p.n) OVER (PARTITION BY p.message_key, p.due_at ORDER BY m.position
                                     ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
                FROM planned p JOIN outledger_message m ON m.id = p.message_id
               WHERE p.due_at IS NOT NULL) o
       WHERE o.before > o.n\
      """),
  NOTHING_ROLLED_BACK(
      "delivered, though its transaction was rolled back",
      """
      SELECT m.id FROM outledger_message m
       WHERE NOT EXISTS (SELECT FROM planned p WHERE p.message_id = m.id)\
      """),
  NOTHING_LEFT("waiting still", "SELECT s.id FROM outledger_scheduled s"),
  NOTHING_PARKED("parked", "SELECT p.id FROM outledger_parked p");

  private static final int NAMED_MAX = 5;

  private final String broken;
  private final String sql;

  Promise(String broken, String sql) {
    this.broken = broken;
    this.sql = sql;
  }

  /** Returns the messages that break it, with what is wrong; empty where it holds. */
  List<String> wrong(Connection connection) throws SQLException {
    List<String> ids = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        ids.add(rows.getString(1));
      }
    }
    return ids.isEmpty()
        ? List.of()
        : List.of(
            "%d messages are %s: %s"
                .formatted(ids.size(), broken, ids.subList(0, Math.min(NAMED_MAX, ids.size()))));
  }

  /** Returns what is wrong with all that was scheduled; empty where every promise holds. */
  static List<String> allWrong(Connection connection) throws SQLException {
    List<String> wrong = new ArrayList<>();
    for (Promise promise : values()) {
      wrong.addAll(promise.wrong(connection));
    }
    return wrong;
  }
}
