// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.Require;
import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.admin.FailureGroup;
import io.outledger.jdbc.admin.Listing;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.ParkedCounts;
import io.outledger.jdbc.admin.ParkedPoint;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.spi.AdminReads;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Pages of what is parked, and what of it failed alike. A call looks at {@value Count#MAX} rows at
 * most.
 */
public final class ParkedPages {

  /** More groups of failures are not told apart. */
  static final int GROUPS_MAX = 200;

  private final AdminReads reads;
  private final Owners owners;

  /** Makes it, without I/O. */
  public ParkedPages(AdminReads reads) {
    this.reads = Require.nonNull("reads", reads);
    this.owners = new Owners(reads);
  }

  /**
   * Returns the parked messages that fit, and the place to go on.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-025} if there is no such owner, or none
   *     of its instances has declared the selected route and nothing is parked in it
   * @throws io.outledger.StoreException if the database failed
   */
  public Listing<Parked, ParkedPoint> list(ParkedQuery query) {
    Require.nonNull("query", query);
    return reads.read(
        "listing parked messages of " + query.owner(), connection -> list(connection, query));
  }

  Listing<Parked, ParkedPoint> list(Connection connection, ParkedQuery query) throws SQLException {
    ParkedSource table = ParkedSource.of(connection, reads, query.owner());
    Optional<ParkedPoint> end = table.end(connection, query.after());
    String failure = query.selection().failure();
    PageBytes bytes = new PageBytes();
    List<Parked> rows = new ArrayList<>();
    ParkedPoint[] last = {query.after()};
    Query text = looked(table, table.select(query.payloadBytes()), query, end);
    text = table.inOrder(table.fitting(text, query));
    if (failure == null) {
      text = text.and(" LIMIT ?", query.limit());
    }
    text.read(
        connection,
        row -> {
          Parked parked = table.read(row, query.payloadBytes(), bytes);
          last[0] = parked.place();
          if (failure == null || FailureGroup.contains(failure, parked.error())) {
            rows.add(parked);
          }
          return rows.size() < query.limit() && !bytes.isFull();
        });
    if (rows.isEmpty()) {
      owners.requireKnown(connection, query.owner(), query.selection().route());
    }
    boolean isFull = rows.size() == query.limit() || bytes.isFull();
    return new Listing<>(rows, isFull ? last[0] : end.orElse(null));
  }

  /**
   * Returns the row that a held one waits for: the first of its key that is not held itself. Looks
   * at the first {@value Count#MAX} rows of its owner, and then at as many before the row.
   */
  Optional<Parked> head(Connection connection, Parked held) throws SQLException {
    ParkedSource table = ParkedSource.of(connection, reads, held.owner());
    Optional<ParkedPoint> end = table.end(connection, ParkedPoint.FIRST);
    Query first = table.select(0);
    Optional<Parked> found =
        one(connection, table, end.isEmpty() ? first : table.upTo(first, end.get()), held);
    if (found.isPresent() || end.isEmpty()) {
      return found;
    }
    Query before = table.upTo(table.select(0), held.place());
    Optional<ParkedPoint> begin = table.begin(connection, held.place());
    return one(
        connection, table, begin.isEmpty() ? before : table.after(before, begin.get()), held);
  }

  private static Optional<Parked> one(
      Connection connection, ParkedSource table, Query among, Parked held) throws SQLException {
    return table
        .inOrder(table.waitedFor(among, held))
        .and(" LIMIT 1")
        .first(connection, row -> table.read(row, 0, new PageBytes()));
  }

  /** Narrows a query to the rows that one call looks at. */
  private static Query looked(
      ParkedSource table, Query select, ParkedQuery query, Optional<ParkedPoint> end) {
    Query text = table.after(select, query.after());
    return end.isEmpty() ? text : table.upTo(text, end.get());
  }

  /**
   * Returns how many fit of the next {@value Count#MAX} that are parked, and whether more are.
   *
   * @param query its limits do not matter
   * @throws io.outledger.ConfigurationException {@code OUT-025} if there is no such owner, or none
   *     of its instances has declared the selected route and nothing is parked in it
   * @throws io.outledger.StoreException if the database failed
   */
  public Count count(ParkedQuery query) {
    Require.nonNull("query", query);
    return reads.read(
        "counting parked messages of " + query.owner(), connection -> count(connection, query));
  }

  private Count count(Connection connection, ParkedQuery query) throws SQLException {
    ParkedSource table = ParkedSource.of(connection, reads, query.owner());
    Optional<ParkedPoint> end = table.end(connection, query.after());
    String failure = query.selection().failure();
    Query text = looked(table, table.select(failure == null ? "COUNT(*)" : "p.error"), query, end);
    long found =
        failure == null
            ? table.fitting(text, query).number(connection)
            : alike(connection, table.fitting(text, query), failure);
    if (found == 0) {
      owners.requireKnown(connection, query.owner(), query.selection().route());
    }
    return new Count(found, end.isPresent());
  }

  private static long alike(Connection connection, Query errors, String failure)
      throws SQLException {
    long[] found = {0};
    errors.read(
        connection,
        row -> {
          found[0] += FailureGroup.contains(failure, row.getString(1)) ? 1 : 0;
          return true;
        });
    return found[0];
  }

  /** Returns how much an owner has parked. */
  ParkedCounts counts(Connection connection, Reader owner) throws SQLException {
    ParkedSource table = ParkedSource.of(connection, reads, owner);
    Map<String, Long> numbers = new HashMap<>();
    Query.of(reads, "SELECT s.state, COUNT(*) FROM (")
        .and(table.select("p.state"))
        .and(" LIMIT ?) s GROUP BY s.state", Count.MAX + 1)
        .read(connection, row -> numbers.put(row.getString(1), row.getLong(2)) == null);
    boolean isMore = numbers.values().stream().mapToLong(each -> each).sum() > Count.MAX;
    return new ParkedCounts(
        count(numbers, "retrying", isMore),
        count(numbers, "held", isMore),
        count(numbers, "dead", isMore));
  }

  private static Count count(Map<String, Long> numbers, String state, boolean isMore) {
    return new Count(Math.min(numbers.getOrDefault(state, 0L), Count.MAX), isMore);
  }

  /**
   * Returns what failed alike among the next {@value Count#MAX} that are parked, the most frequent
   * first, and the place to go on.
   *
   * @param query its limits do not matter
   * @throws io.outledger.ConfigurationException {@code OUT-025} if there is no such owner
   * @throws io.outledger.StoreException if the database failed
   */
  public Listing<FailureGroup, ParkedPoint> failures(ParkedQuery query) {
    Require.nonNull("query", query);
    return reads.read(
        "grouping the failures of " + query.owner(), connection -> failures(connection, query));
  }

  private Listing<FailureGroup, ParkedPoint> failures(Connection connection, ParkedQuery query)
      throws SQLException {
    ParkedSource table = ParkedSource.of(connection, reads, query.owner());
    Optional<ParkedPoint> end = table.end(connection, query.after());
    Map<String, Group> groups = new HashMap<>();
    Query text = looked(table, table.select(0), query, end);
    table
        .inOrder(table.fitting(text, query).and(" AND p.error IS NOT NULL"))
        .read(
            connection,
            row -> {
              add(groups, table.read(row, 0, new PageBytes()), query.selection().failure());
              return true;
            });
    if (groups.isEmpty()) {
      owners.requireKnown(connection, query.owner());
    }
    List<FailureGroup> all =
        groups.values().stream()
            .map(group -> group.told(end.isPresent()))
            .sorted(
                Comparator.comparingLong((FailureGroup group) -> group.count().number())
                    .reversed()
                    .thenComparing(FailureGroup::failure))
            .toList();
    return new Listing<>(all, end.orElse(null));
  }

  private static void add(Map<String, Group> groups, Parked parked, @Nullable String wanted) {
    String failure = FailureGroup.of(String.valueOf(parked.error()));
    if (wanted == null || wanted.equals(failure)) {
      String name = groups.size() < GROUPS_MAX || groups.containsKey(failure) ? failure : "…";
      groups.computeIfAbsent(name, each -> new Group(each, parked)).add(parked.parkedAt());
    }
  }

  /** A group that grows. */
  private static final class Group {
    private final String failure;
    private final Parked example;
    private long count;
    private Instant oldest;
    private Instant newest;

    Group(String failure, Parked example) {
      this.failure = failure;
      this.example = example;
      this.oldest = example.parkedAt();
      this.newest = example.parkedAt();
    }

    void add(Instant parkedAt) {
      count++;
      oldest = parkedAt.isBefore(oldest) ? parkedAt : oldest;
      newest = parkedAt.isAfter(newest) ? parkedAt : newest;
    }

    FailureGroup told(boolean isMore) {
      return new FailureGroup(failure, new Count(count, isMore), oldest, newest, example);
    }
  }
}
