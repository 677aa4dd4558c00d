// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.Require;
import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.spi.AdminReads;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** How many sagas are stuck, however many there are. */
public final class StuckReads {

  // A step in the primary key for each name.
  private static final String NAME =
      """
      SELECT s.saga FROM {schema}.outledger_saga s
       WHERE s.saga > ? ORDER BY s.saga, s.saga_key LIMIT 1\
      """;

  // From what is parked, which is few: a step in the primary key for each dead letter. A join could
  // become a walk through all sagas.
  private static final String STUCK =
      """
      SELECT f.saga, SUM(f.found)
        FROM (SELECT d.saga,
                     (SELECT COUNT(*) FROM {schema}.outledger_saga s
                       WHERE s.saga = d.saga AND s.saga_key = d.message_key) AS found
                FROM (SELECT p.saga, p.message_key
                        FROM (SELECT a.route AS saga, a.message_key
                                FROM {schema}.outledger_parked a
                               WHERE a.state = 'dead' AND a.message_key IS NOT NULL
                                 AND a.route IN (%1$s) LIMIT ?) p
                      UNION
                      SELECT q.saga, q.message_key
                        FROM (SELECT b.consumer AS saga, b.message_key
                                FROM {schema}.outledger_inbox_parked b
                               WHERE b.state = 'dead' AND b.message_key IS NOT NULL
                                 AND b.consumer IN (%1$s) LIMIT ?) q) d) f
       GROUP BY f.saga\
      """;

  private final AdminReads reads;

  /** Makes it, without I/O. */
  public StuckReads(AdminReads reads) {
    this.reads = Require.nonNull("reads", reads);
  }

  /**
   * Returns how many sagas of each name are stuck behind a dead letter, by name.
   *
   * @param namesMax how many names
   * @throws io.outledger.StoreException if the database failed
   */
  public SortedMap<String, Count> count(int namesMax) {
    return reads.read("counting stuck sagas", connection -> count(connection, namesMax));
  }

  private SortedMap<String, Count> count(Connection connection, int namesMax) throws SQLException {
    List<String> names = names(connection, namesMax);
    SortedMap<String, Count> all = new TreeMap<>();
    names.forEach(name -> all.put(name, Count.NONE));
    if (!names.isEmpty()) {
      String text = STUCK.formatted(String.join(", ", Collections.nCopies(names.size(), "?")));
      List<Object> values = new ArrayList<>();
      for (int source = 0; source < 2; source++) {
        values.addAll(names);
        values.add(Count.MAX + 1);
      }
      Query.of(reads, reads.in(text), values.toArray())
          .rows(connection, row -> all.put(row.getString(1), Count.of(row.getLong(2))));
    }
    return all;
  }

  private List<String> names(Connection connection, int namesMax) throws SQLException {
    List<String> names = new ArrayList<>();
    Optional<String> next = next(connection, "");
    while (next.isPresent() && names.size() < namesMax) {
      names.add(next.get());
      next = next(connection, next.get());
    }
    return names;
  }

  private Optional<String> next(Connection connection, String after) throws SQLException {
    return Query.of(reads, reads.in(NAME), after).first(connection, row -> row.getString(1));
  }
}
