// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.Require;
import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.admin.Holes;
import io.outledger.jdbc.admin.Holes.OpenRange;
import io.outledger.jdbc.admin.Overview;
import io.outledger.jdbc.spi.AdminReads;
import io.outledger.jdbc.spi.CursorKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

/** What is open in subscriptions, and what of it is visible. */
public final class HoleReads {

  /** The positions of shorter ranges are looked up together. */
  private static final int SHORT = 16;

  private static final int LOOKED_UP_AT_ONCE = 500;

  // The first rows of a range of the primary key.
  private static final String VISIBLE =
      """
      SELECT COUNT(*)
        FROM (SELECT m.position FROM {schema}.outledger_message m
               WHERE m.position BETWEEN ? AND ? LIMIT ?) c\
      """;

  // The primary key.
  private static final String AMONG =
      "SELECT m.position FROM {schema}.outledger_message m WHERE m.position IN (";

  private static final String SUBSCRIPTIONS =
      """
      SELECT s.subscription, s.partition_no FROM {schema}.outledger_subscription s
       ORDER BY s.subscription, s.partition_no LIMIT ?\
      """;

  private final AdminReads reads;

  /** Makes it, without I/O. */
  public HoleReads(AdminReads reads) {
    this.reads = Require.nonNull("reads", reads);
  }

  private record Range(long first, long last) {

    boolean isShort() {
      return last - first < SHORT;
    }

    LongStream positions() {
      return LongStream.rangeClosed(first, last);
    }
  }

  /**
   * Returns the open ranges of all subscriptions, and the transactions that may keep them open.
   *
   * @throws io.outledger.StoreException if the database failed
   */
  public Holes holes() {
    return reads.read(
        "reading open positions",
        connection -> {
          List<OpenRange> ranges = new ArrayList<>();
          boolean isMore = false;
          for (CursorKey key :
              Query.of(reads, reads.in(SUBSCRIPTIONS), Overview.ROWS_MAX)
                  .rows(connection, row -> new CursorKey(row.getString(1), row.getInt(2)))) {
            List<Range> open = ranges(connection, key);
            isMore |= open.size() > Holes.RANGES_MAX;
            ranges.addAll(
                shown(connection, key, open.subList(0, Math.min(open.size(), Holes.RANGES_MAX))));
          }
          return new Holes(ranges, isMore, reads.blockers(connection));
        });
  }

  private List<Range> ranges(Connection connection, CursorKey key) throws SQLException {
    return Query.of(
            reads,
            reads.sql().openRanges(),
            key.subscription(),
            key.partition(),
            Holes.RANGES_MAX + 1)
        .rows(connection, row -> new Range(row.getLong(1), row.getLong(2)));
  }

  private List<OpenRange> shown(Connection connection, CursorKey key, List<Range> open)
      throws SQLException {
    Set<Long> visible =
        visible(
            connection,
            open.stream().filter(Range::isShort).flatMapToLong(Range::positions).toArray());
    List<OpenRange> all = new ArrayList<>();
    for (Range range : open) {
      Count count =
          range.isShort()
              ? Count.of(range.positions().filter(visible::contains).count())
              : Count.of(
                  Query.of(reads, reads.in(VISIBLE), range.first(), range.last(), Count.MAX + 1)
                      .number(connection));
      all.add(
          new OpenRange(key.subscription(), key.partition(), range.first(), range.last(), count));
    }
    return all;
  }

  private Set<Long> visible(Connection connection, long[] positions) throws SQLException {
    Set<Long> visible = new HashSet<>();
    for (int from = 0; from < positions.length; from += LOOKED_UP_AT_ONCE) {
      Object[] part =
          LongStream.of(positions).skip(from).limit(LOOKED_UP_AT_ONCE).boxed().toArray();
      String marks = String.join(", ", Collections.nCopies(part.length, "?"));
      visible.addAll(
          Query.of(reads, reads.in(AMONG), part)
              .and(marks + ")")
              .rows(connection, row -> row.getLong(1)));
    }
    return visible;
  }
}
