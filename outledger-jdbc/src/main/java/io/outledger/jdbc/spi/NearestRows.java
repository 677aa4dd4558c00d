// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.store.ParkedPlace;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Up to where a search among all partitions of a subscription looks at a time. Their rows are
 * sorted by place, and no index does that: without a bound each part of the search would sort all
 * there are. Of what is within the nearest of the partitions' bounds, none has more rows.
 *
 * @param <P> where a message is parked
 * @param last the last place that is looked at
 * @param sql a condition about rows {@code p}
 * @param values its values
 */
record NearestRows<P>(P last, String sql, List<Object> values) {

  private static final String PLACE = "p.position, p.route, p.id";

  // One step along the primary key.
  private static final String LAST_PARTITION =
      "SELECT MAX(p.partition_no) FROM {schema}.outledger_parked p WHERE p.subscription = ?";

  // A range of the primary key.
  private static final String OF_ONE =
      """
      SELECT %1$s FROM {schema}.outledger_parked p
       WHERE p.subscription = ? AND p.partition_no = ?
         AND p.position >= ? AND (%1$s) > (?, ?, ?)%2$s
       ORDER BY %1$s LIMIT 1 OFFSET ?\
      """;

  /**
   * What is searched for.
   *
   * @param key the cursor, or all those of a divided subscription
   * @param after only what is behind this place
   * @param fitting conditions about rows {@code p}, each of which begins with AND
   * @param values their values
   */
  record Search(CursorKey key, ParkedPlace after, String fitting, List<?> values) {}

  /**
   * Finds it.
   *
   * @param limit how many rows are looked at, about
   * @return the bound; empty where what is left has no more rows, and for one cursor, whose rows an
   *     index has in their order
   */
  static Optional<NearestRows<ParkedPlace>> find(
      Connection transaction, SqlNaming naming, Search search, int limit) throws SQLException {
    String subscription = search.key().subscription();
    int partitions =
        search.key().isEveryPartition() ? partitions(transaction, naming, subscription) : 0;
    if (partitions == 0) {
      return Optional.empty();
    }
    ParkedPlace after = search.after();
    List<@Nullable Object> values = new ArrayList<>();
    List<String> each = new ArrayList<>();
    for (int partition = 1; partition <= partitions; partition++) {
      each.add("SELECT * FROM (" + OF_ONE.formatted(PLACE, search.fitting()) + ") p" + partition);
      values.addAll(List.of(subscription, partition, after.position()));
      values.addAll(List.of(after.position(), after.route(), after.id()));
      values.addAll(search.values());
      values.add(Math.max(1, limit / partitions) - 1);
    }
    String sql =
        "SELECT %1$s FROM (%2$s) p ORDER BY %1$s LIMIT 1"
            .formatted(PLACE, String.join(" UNION ALL ", each));
    try (PreparedStatement statement = transaction.prepareStatement(naming.in(sql))) {
      naming.values().bind(statement, values.toArray());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(of(place(naming, row), partitions)) : Optional.empty();
      }
    }
  }

  private static int partitions(Connection transaction, SqlNaming naming, String subscription)
      throws SQLException {
    try (PreparedStatement statement = transaction.prepareStatement(naming.in(LAST_PARTITION))) {
      statement.setString(1, subscription);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getInt(1) : 0;
      }
    }
  }

  private static ParkedPlace place(SqlNaming naming, ResultSet row) throws SQLException {
    return new ParkedPlace(row.getString(2), row.getLong(1), naming.values().uuid(row, 3));
  }

  private static NearestRows<ParkedPlace> of(ParkedPlace last, int partitions) {
    List<Object> values = new ArrayList<>();
    IntStream.rangeClosed(1, partitions).forEach(values::add);
    values.addAll(List.of(last.position(), last.position(), last.route(), last.id()));
    return new NearestRows<>(
        last,
        " AND p.partition_no IN (%s) AND p.position <= ? AND (%s) <= (?, ?, ?)"
            .formatted(String.join(", ", Collections.nCopies(partitions, "?")), PLACE),
        values);
  }
}
