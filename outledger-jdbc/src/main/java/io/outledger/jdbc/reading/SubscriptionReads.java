// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.Require;
import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.admin.InstanceState;
import io.outledger.jdbc.admin.Listing;
import io.outledger.jdbc.admin.Overview;
import io.outledger.jdbc.admin.ParkedCounts;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.SubscriptionState;
import io.outledger.jdbc.admin.SubscriptionState.Lag;
import io.outledger.jdbc.admin.SubscriptionStatus;
import io.outledger.jdbc.spi.AdminReads;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.PauseTable;
import io.outledger.jdbc.spi.RelayCause;
import io.outledger.store.Paused;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where subscriptions stand, and what their relays are doing. */
public final class SubscriptionReads {

  // outledger_lag, as monitoring asks it.
  private static final String LAG =
      """
      SELECT l.subscription, l.partition_no, l.running, l.instance, l.saved_at, l.high, l.lowest,
             l.lease_until, l.behind, %s, l.oldest_state, %s, l.open_ranges, l.retrying, l.held,
             l.dead, l.lacking
        FROM {schema}.outledger_lag l
       WHERE l.subscription IS NOT NULL\
      """;
  private static final String LAG_ORDER = " ORDER BY l.subscription, l.partition_no LIMIT ?";

  // The primary key; an instance owns what the newest cursor row says.
  private static final String INSTANCES =
      """
      SELECT t.subscription, t.partition_no, t.instance, t.state, t.since, t.reason, t.causes,
             s.lease_until > {now} AND s.incarnation = t.incarnation
        FROM {schema}.outledger_status t
        LEFT JOIN {schema}.outledger_subscription s
               ON s.subscription = t.subscription AND s.partition_no = t.partition_no\
      """;
  private static final String INSTANCES_ORDER =
      " ORDER BY t.subscription, t.partition_no, t.instance LIMIT ?";

  private static final String READING = "reading the state of subscriptions";

  private final AdminReads reads;
  private final Ledger ledger;
  private final ScheduledReads scheduled;
  private final String lag;
  private final String instances;

  /** Makes it, without I/O. */
  public SubscriptionReads(AdminReads reads) {
    this.reads = Require.nonNull("reads", reads);
    this.ledger = new Ledger(reads);
    this.scheduled = new ScheduledReads(reads);
    String seconds = reads.sql().seconds();
    this.lag =
        reads.in(
            LAG.formatted(seconds.formatted("l.oldest_age"), seconds.formatted("l.waiting_age")));
    this.instances = reads.in(INSTANCES);
  }

  /**
   * Returns the ledger's state, and what there is.
   *
   * @throws io.outledger.StoreException if the database failed
   */
  public Overview overview() {
    return reads.read(
        "reading the state of the ledger",
        connection -> {
          List<InstanceState> relays = instances(connection, null);
          return new Overview(
              ledger.state(connection),
              subscriptions(connection, null, relays),
              relays,
              scheduled.state(connection));
        });
  }

  /**
   * Returns the subscriptions, by name, the first {@value Overview#ROWS_MAX}.
   *
   * @param name of one alone; null for all
   * @throws io.outledger.StoreException if the database failed
   */
  public List<SubscriptionState> subscriptions(@Nullable String name) {
    return reads.read(READING, connection -> subscriptions(connection, name));
  }

  List<SubscriptionState> subscriptions(Connection connection, @Nullable String name)
      throws SQLException {
    return subscriptions(connection, name, instances(connection, name));
  }

  /**
   * Returns the first subscriptions, by name and partition.
   *
   * @throws io.outledger.StoreException if the database failed
   */
  public Listing<SubscriptionState, Reader> first() {
    return reads.read(READING, connection -> page(connection, "", 0));
  }

  /**
   * Returns the subscriptions behind one, by name and partition.
   *
   * @param after the last one of the page before
   * @throws io.outledger.StoreException if the database failed
   */
  public Listing<SubscriptionState, Reader> behind(Reader after) {
    Require.nonNull("after", after);
    return reads.read(READING, connection -> page(connection, after.name(), after.partition()));
  }

  private Listing<SubscriptionState, Reader> page(
      Connection connection, String afterName, int afterPartition) throws SQLException {
    List<InstanceState> relays =
        Query.of(reads, instances)
            .and(" WHERE t.subscription >= ?", afterName)
            .and(INSTANCES_ORDER, Count.MAX)
            .rows(connection, this::instance);
    Query behind =
        Query.of(reads, lag)
            .and(
                " AND (l.subscription > ? OR l.subscription = ? AND l.partition_no > ?)",
                afterName,
                afterName,
                afterPartition);
    List<SubscriptionState> rows = subscriptions(connection, null, relays, behind);
    SubscriptionStatus last =
        rows.size() < Overview.ROWS_MAX ? null : rows.get(rows.size() - 1).cursor();
    Reader.Kind kind = Reader.Kind.SUBSCRIPTION;
    return new Listing<>(
        rows, last == null ? null : new Reader(kind, last.name(), last.partition()));
  }

  private List<SubscriptionState> subscriptions(
      Connection connection, @Nullable String name, List<InstanceState> relays)
      throws SQLException {
    Query all = Query.of(reads, lag).andIf(name, " AND l.subscription = ?");
    return subscriptions(connection, name, relays, all);
  }

  private List<SubscriptionState> subscriptions(
      Connection connection, @Nullable String name, List<InstanceState> relays, Query which)
      throws SQLException {
    Map<CursorKey, Map<String, InstanceState>> relayOf = new HashMap<>();
    for (InstanceState relay : relays) {
      relayOf
          .computeIfAbsent(
              new CursorKey(relay.subscription(), relay.partition()), each -> new HashMap<>())
          .put(relay.instance(), relay);
    }
    Map<String, List<Paused>> pauses = new PauseTable(reads).holding(connection, name, Count.MAX);
    return which
        .and(LAG_ORDER, Overview.ROWS_MAX)
        .rows(connection, row -> state(row, relayOf, pauses));
  }

  private SubscriptionState state(
      ResultSet row,
      Map<CursorKey, Map<String, InstanceState>> relayOf,
      Map<String, List<Paused>> pauses)
      throws SQLException {
    CursorKey key = new CursorKey(row.getString(1), row.getInt(2));
    SubscriptionStatus cursor =
        new SubscriptionStatus(
            key.subscription(),
            key.partition(),
            row.getLong(6),
            row.getLong(7),
            reads.values().time(row, 5),
            reads.values().readTime(row, 8));
    Lag lag =
        new Lag(
            row.getLong(9), seconds(row, 10), row.getString(11), seconds(row, 12), row.getLong(13));
    ParkedCounts parked =
        new ParkedCounts(
            Count.of(row.getLong(14)), Count.of(row.getLong(15)), Count.of(row.getLong(16)));
    String instance = row.getString(4);
    InstanceState relay =
        instance == null ? null : relayOf.getOrDefault(key, Map.of()).get(instance);
    return new SubscriptionState(
        cursor,
        row.getBoolean(3),
        relay,
        lag,
        parked,
        row.getString(17),
        pauses.getOrDefault(key.subscription(), List.of()));
  }

  private static Duration seconds(ResultSet row, int column) throws SQLException {
    return Duration.ofMillis(Math.round(row.getDouble(column) * 1000));
  }

  private List<InstanceState> instances(Connection connection, @Nullable String name)
      throws SQLException {
    return Query.of(reads, instances)
        .andIf(name, " WHERE t.subscription = ?")
        .and(INSTANCES_ORDER, Overview.ROWS_MAX)
        .rows(connection, this::instance);
  }

  private InstanceState instance(ResultSet row) throws SQLException {
    Instant since = reads.values().time(row, 5);
    return new InstanceState(
        row.getString(3),
        row.getString(1),
        row.getInt(2),
        row.getBoolean(8),
        row.getString(4),
        since,
        row.getString(6),
        RelayCause.read(row.getString(7), since));
  }
}
