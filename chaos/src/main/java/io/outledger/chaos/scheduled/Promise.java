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
 * That a message enters within a second is measured, see {@link Lateness}, and not judged: a
 * machine that is busy is slow.
 */
enum Promise {
  DELIVERED(
      "neither cancelled nor replaced, and not delivered",
      """
      SELECT p.message_id FROM planned p
       WHERE NOT EXISTS (SELECT FROM outledger_message m WHERE m.id = p.message_id)
         AND NOT EXISTS (SELECT FROM cancelled c WHERE c.message_id = p.message_id)
         AND NOT EXISTS (SELECT FROM planned next
                           JOIN taken_away t ON t.message_id = next.replaces AND t.by = next.by
                          WHERE next.replaces = p.message_id)\
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
      "replaced, and delivered all the same",
      """
      SELECT next.replaces FROM planned next
       WHERE EXISTS (SELECT FROM outledger_message m WHERE m.id = next.replaces)
         AND NOT EXISTS (SELECT FROM came_too_late c WHERE c.message_id = next.replaces)\
      """),
  NEVER_EARLY(
      "in the ledger before its time",
      """
      SELECT p.message_id FROM planned p JOIN outledger_message m ON m.id = p.message_id
       WHERE m.appended_at < p.not_before\
      """),
  /** A mover that is killed keeps its lease for ten seconds; the next one looks each second. */
  NEVER_FORGOTTEN(
      "in the ledger more than 11 seconds late, though nothing was down",
      """
      SELECT d.message_id
        FROM (SELECT p.message_id, m.appended_at AS entered,
                     greatest(p.not_before, p.planned_at) AS at
                FROM planned p JOIN outledger_message m ON m.id = p.message_id) d
       WHERE d.entered > d.at + interval '11 seconds'
         AND NOT EXISTS (SELECT FROM killed k WHERE k.began < d.at + interval '11 seconds'
                                                AND k.ended > d.at - interval '11 seconds')\
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
  NOTHING_LEFT(
      "waiting still",
      """
      SELECT s.id FROM outledger_scheduled s
       WHERE NOT EXISTS (SELECT FROM others o WHERE o.message_id = s.id)\
      """),
  OTHERS_UNTOUCHED(
      "due in a year, and do not wait any more",
      """
      SELECT o.message_id FROM others o
       WHERE NOT EXISTS (SELECT FROM outledger_scheduled s WHERE s.id = o.message_id)\
      """),
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
