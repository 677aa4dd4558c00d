// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.scheduled;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * What a run has shown.
 *
 * @param kills who was killed
 * @param wrong what breaks a promise; empty where all hold
 * @param counts how many messages have come to what
 * @param lateness how long after their time they were in the ledger
 * @param postgresql the version of the database
 */
record ScheduledResult(
    Kills kills, List<String> wrong, Counts counts, Lateness lateness, String postgresql) {

  private static final String COUNTS =
      """
      SELECT count(*), count(m.id),
             (SELECT count(*) FROM cancelled c WHERE NOT c.named),
             (SELECT count(*) FROM cancelled c WHERE c.named),
             count(*) FILTER (WHERE m.id IS NULL AND next.replaces IS NOT NULL),
             (SELECT coalesce(sum(same.messages), 0)
                FROM (SELECT count(*) AS messages
                        FROM planned s JOIN outledger_message e ON e.id = s.message_id
                       WHERE s.due_at IS NOT NULL
                       GROUP BY s.message_key, s.due_at HAVING count(*) > 1) same)
        FROM planned p
        LEFT JOIN outledger_message m ON m.id = p.message_id
        LEFT JOIN planned next ON next.replaces = p.message_id\
      """;

  /**
   * Who was killed.
   *
   * @param processes how many processes, with messages waiting
   * @param movers how many of these had the lease, and were moving
   * @param databases how often the database, with messages waiting
   * @param idle how many kills met no message that waits, and count for nothing
   */
  record Kills(int processes, int movers, int databases, int idle) {

    static final Kills NONE = new Kills(0, 0, 0, 0);

    Kills withProcess(UnderWay met, boolean wasMoving) {
      return met.waiting() == 0
          ? new Kills(processes, movers, databases, idle + 1)
          : new Kills(processes + 1, movers + (wasMoving ? 1 : 0), databases, idle);
    }

    Kills withDatabase(UnderWay met) {
      return met.waiting() == 0
          ? new Kills(processes, movers, databases, idle + 1)
          : new Kills(processes, movers, databases + 1, idle);
    }
  }

  /**
   * How many messages have come to what.
   *
   * @param scheduled all of them
   * @param delivered in the ledger
   * @param cancelledById by their ids
   * @param cancelledByName by their names
   * @param replaced by another one of their name
   * @param together due with others of their key, and delivered
   */
  record Counts(
      long scheduled,
      long delivered,
      long cancelledById,
      long cancelledByName,
      long replaced,
      long together) {

    private static Counts of(ResultSet row) throws SQLException {
      row.next();
      return new Counts(
          row.getLong(1),
          row.getLong(2),
          row.getLong(3),
          row.getLong(4),
          row.getLong(5),
          row.getLong(6));
    }

    @Override
    public String toString() {
      return "%d messages: %d delivered, %d cancelled by id, %d by name, %d replaced; %d were due"
          .formatted(scheduled, delivered, cancelledById, cancelledByName, replaced, together)
          .concat(" at one time with others of their key");
    }
  }

  /**
   * Judges.
   *
   * @param unrest why it did not come to rest; empty where it did
   */
  static ScheduledResult of(Kills kills, List<String> unrest, Connection connection)
      throws SQLException {
    List<String> wrong = new ArrayList<>(unrest);
    wrong.addAll(Promise.allWrong(connection));
    if (kills.processes() == 0) {
      wrong.add("nobody was killed while a message waited for its time, so nothing was tried");
    }
    try (Statement statement = connection.createStatement()) {
      return new ScheduledResult(
          kills,
          List.copyOf(wrong),
          Counts.of(statement.executeQuery(COUNTS)),
          Lateness.of(connection),
          connection.getMetaData().getDatabaseProductVersion());
    }
  }
}
