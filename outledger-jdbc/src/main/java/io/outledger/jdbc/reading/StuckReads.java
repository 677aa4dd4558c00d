// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.Require;
import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.spi.AdminReads;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
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

  // From dead letters, of which only so many are taken: each subscription's, and the consumer's, by
  // an index that begins with its name (those of a subscription's other routes are passed over),
  // and a step in the primary key for each of their keys. A join with the sagas could become a walk
  // through all of them.
  private static final String STUCK =
      """
      SELECT SUM(g.found), SUM(g.published), SUM(g.received)
        FROM (SELECT k.published, k.received,
                     (SELECT COUNT(*) FROM {schema}.outledger_saga s
                       WHERE s.saga = ? AND s.saga_key = k.message_key) AS found
                FROM (SELECT d.message_key, SUM(d.published) AS published,
                             SUM(d.received) AS received
                        FROM (SELECT p.message_key, 1 AS published, 0 AS received
                                FROM (SELECT a.message_key
                                        FROM {schema}.outledger_subscription c
                                        JOIN {schema}.outledger_parked a
                                          ON a.subscription = c.subscription
                                         AND a.partition_no = c.partition_no
                                       WHERE a.route = ? AND a.state = 'dead'
                                         AND a.message_key IS NOT NULL LIMIT ?) p
                              UNION ALL
                              SELECT q.message_key, 0 AS published, 1 AS received
                                FROM (SELECT b.message_key
                                        FROM {schema}.outledger_inbox_parked b
                                       WHERE b.consumer = ? AND b.state = 'dead'
                                         AND b.message_key IS NOT NULL LIMIT ?) q) d
                       GROUP BY d.message_key) k) g\
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
   * @param lettersMax how many dead letters of each name on either side; beyond them there may be
   *     more
   * @throws io.outledger.StoreException if the database failed
   */
  public SortedMap<String, Count> count(int namesMax, int lettersMax) {
    return reads.read(
        "counting stuck sagas",
        connection -> {
          SortedMap<String, Count> all = new TreeMap<>();
          for (String name : names(connection, namesMax)) {
            all.put(name, count(connection, name, lettersMax));
          }
          return all;
        });
  }

  private Count count(Connection connection, String name, int lettersMax) throws SQLException {
    int most = lettersMax + 1;
    return Query.of(reads, reads.in(STUCK), name, name, most, name, most)
        .first(
            connection,
            row -> {
              long found = row.getLong(1);
              long letters = Math.max(row.getLong(2), row.getLong(3));
              return new Count(Math.min(found, lettersMax), Math.max(found, letters) > lettersMax);
            })
        .orElse(Count.NONE);
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
