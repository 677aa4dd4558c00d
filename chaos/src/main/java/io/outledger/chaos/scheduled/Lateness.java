// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.scheduled;

import io.outledger.chaos.run.Liveness.Wait;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How long after their time messages were in the ledger, by the clock of the database. One that was
 * scheduled when its time had passed is late from then on: its transaction's own length is counted,
 * too.
 *
 * @param waits of the messages in whose time nothing was down, and of the others; a kind that had
 *     none is left out
 */
record Lateness(List<Wait> waits) {

  private static final String NOBODY_DOWN =
      "scheduled message due → in the ledger, nothing down for 11 s";
  private static final String DISTURBED =
      "scheduled message due → in the ledger, while processes are killed";
  private static final Duration GOAL = Duration.ofSeconds(1);

  /** Until then a kill excuses a message: the lease of a mover, and the look of the next one. */
  static final Duration GRACE = Duration.ofSeconds(11);

  // Whether it counts is decided by its time alone, not by how late it came.
  private static final String LATE =
      """
      SELECT (extract(epoch FROM d.entered - d.at) * 1000)::bigint,
             EXISTS (SELECT FROM killed k WHERE k.began < d.at + interval '1 second'
                                            AND k.ended > d.at - interval '11 seconds')
        FROM (SELECT m.appended_at AS entered, greatest(p.not_before, p.planned_at) AS at
                FROM planned p JOIN outledger_message m ON m.id = p.message_id) d\
      """;

  static Lateness of(Connection connection) throws SQLException {
    List<Long> calm = new ArrayList<>();
    List<Long> disturbed = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(LATE)) {
      while (rows.next()) {
        (rows.getBoolean(2) ? disturbed : calm).add(rows.getLong(1));
      }
    }
    List<Wait> waits = new ArrayList<>();
    add(waits, NOBODY_DOWN, GOAL, calm);
    add(waits, DISTURBED, GRACE, disturbed);
    return new Lateness(List.copyOf(waits));
  }

  private static void add(List<Wait> waits, String name, Duration goal, List<Long> millis) {
    if (!millis.isEmpty()) {
      waits.add(Wait.of(name, goal, millis));
    }
  }
}
