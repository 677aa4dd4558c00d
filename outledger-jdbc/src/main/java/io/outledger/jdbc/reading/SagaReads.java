// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.Require;
import io.outledger.event.TypeVersion;
import io.outledger.jdbc.admin.Listing;
import io.outledger.jdbc.admin.Overview;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.SagaInfo;
import io.outledger.jdbc.admin.SagaQuery;
import io.outledger.jdbc.admin.SagaState;
import io.outledger.jdbc.admin.SagaTimer;
import io.outledger.jdbc.spi.AdminReads;
import io.outledger.jdbc.spi.SagaText;
import io.outledger.saga.SagaId;
import io.outledger.saga.SagaPhase;
import io.outledger.saga.SagaRow;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sagas, and what is parked of them. */
public final class SagaReads {

  private static final int COLUMNS = 13;

  // The primary key, in its order. What is parked is few, and looked at for each row.
  private static final String ROWS =
      """
      SELECT s.saga, s.saga_key, s.version, s.phase, s.waits_for, s.timeouts, s.done_steps,
             s.state_type, s.state_version, {octet_length}(s.payload), s.started_at, s.changed_at,
             CASE WHEN EXISTS (SELECT 1 FROM {schema}.outledger_parked p
                                WHERE p.route = s.saga AND p.message_key = s.saga_key
                                  AND p.state = 'dead')
                    OR EXISTS (SELECT 1 FROM {schema}.outledger_inbox_parked q
                                WHERE q.consumer = s.saga AND q.message_key = s.saga_key
                                  AND q.state = 'dead')
                  THEN 1 ELSE 0 END\
      """;
  private static final String FROM = " FROM {schema}.outledger_saga s WHERE 1 = 1";

  // A step in the primary key; and all declarations, which are few.
  private static final String KNOWN =
      """
      SELECT (SELECT COUNT(*) FROM (SELECT 1 AS found FROM {schema}.outledger_saga s
                                     WHERE s.saga = ? LIMIT 1) s)
           + (SELECT COUNT(*) FROM {schema}.outledger_declaration d
               WHERE d.route = ? OR (d.reader_kind = 'consumer' AND d.reader = ?))\
      """;

  private static final String SUBSCRIPTIONS =
      """
      SELECT s.subscription, s.partition_no FROM {schema}.outledger_subscription s
       ORDER BY s.subscription, s.partition_no LIMIT ?\
      """;

  private final AdminReads reads;
  private final TimerReads timers;

  /** Makes it, without I/O. */
  public SagaReads(AdminReads reads) {
    this.reads = Require.nonNull("reads", reads);
    this.timers = new TimerReads(reads);
  }

  /**
   * Returns the sagas that fit, by name and key, and the place to go on.
   *
   * @throws io.outledger.StoreException if the database failed
   */
  public Listing<SagaInfo, SagaId> list(SagaQuery query) {
    SagaId after = Require.nonNull("query", query).after();
    return reads.read(
        "listing sagas",
        connection -> {
          Query text =
              Query.of(reads, reads.in(ROWS + FROM)).andIf(query.saga(), " AND s.saga = ?");
          if (after != null) {
            text.and(" AND (s.saga, s.saga_key) > (?, ?)", after.saga(), after.key());
          }
          List<SagaInfo> rows =
              withTimers(
                  connection,
                  text.and(" ORDER BY s.saga, s.saga_key LIMIT ?", query.limit())
                      .rows(connection, this::row));
          boolean isFull = rows.size() == query.limit();
          return new Listing<>(rows, isFull ? rows.get(rows.size() - 1).id() : null);
        });
  }

  /** A row, of which it is not known yet where its time-outs are. */
  private record Row(TimerReads.Waiting waiting, Function<List<SagaTimer>, SagaInfo> info) {}

  private Row row(ResultSet row) throws SQLException {
    SagaId id = new SagaId(row.getString(1), row.getString(2));
    long version = row.getLong(3);
    Stand stand = stand(row);
    TypeVersion type = new TypeVersion(row.getString(8), row.getInt(9));
    long bytes = row.getLong(10);
    Instant startedAt = reads.values().time(row, 11);
    Instant changedAt = reads.values().time(row, 12);
    boolean hasDeadLetter = row.getInt(COLUMNS) == 1;
    return new Row(
        new TimerReads.Waiting(id, version, stand.progress().timeouts()),
        at ->
            new SagaInfo(
                id,
                SagaRow.steps(version),
                stand.phase(),
                stand.progress(),
                type,
                bytes,
                startedAt,
                changedAt,
                at,
                hasDeadLetter));
  }

  /** Where a saga stands. */
  private record Stand(SagaPhase phase, SagaRow.Progress progress) {}

  /** A row that somebody has changed is told as such, and the others are listed all the same. */
  private static Stand stand(ResultSet row) throws SQLException {
    try {
      return new Stand(
          SagaPhase.of(row.getString(4)),
          SagaText.progress(row.getString(5), row.getString(6), row.getString(7)));
    } catch (IllegalArgumentException e) {
      String what = "somebody to correct its row, which cannot be read (" + e.getMessage() + ")";
      return new Stand(SagaPhase.RUNNING, new SagaRow.Progress(what, List.of(), List.of()));
    }
  }

  private List<SagaInfo> withTimers(Connection connection, List<Row> rows) throws SQLException {
    Map<SagaId, List<SagaTimer>> all =
        timers.of(connection, rows.stream().map(Row::waiting).toList());
    return rows.stream()
        .map(row -> row.info().apply(all.getOrDefault(row.waiting().id(), List.of())))
        .toList();
  }

  /**
   * Returns a saga, and what is parked of it.
   *
   * @param stateBytes at most this many bytes of its state
   * @throws io.outledger.StoreException if the database failed
   */
  public Optional<SagaState> find(SagaId id, int stateBytes) {
    Require.nonNull("id", id);
    return reads.read("reading saga " + id.saga(), connection -> find(connection, id, stateBytes));
  }

  private Optional<SagaState> find(Connection connection, SagaId id, int stateBytes)
      throws SQLException {
    Query query =
        stateBytes == 0
            ? Query.of(reads, reads.in(ROWS + FROM))
            : Query.of(
                reads,
                reads.in(ROWS + ", " + reads.sql().payloadCut().formatted("s.payload") + FROM),
                stateBytes);
    record Found(Row row, @SuppressWarnings("ArrayRecordComponent") byte @Nullable [] state) {}
    Optional<Found> found =
        query
            .and(" AND s.saga = ? AND s.saga_key = ?", id.saga(), id.key())
            .first(
                connection,
                row ->
                    new Found(
                        row(row),
                        stateBytes == 0
                            ? null
                            : MessageColumns.payload(row, COLUMNS + 1, stateBytes)));
    if (found.isEmpty()) {
      return Optional.empty();
    }
    SagaInfo info = withTimers(connection, List.of(found.get().row())).get(0);
    return Optional.of(new SagaState(info, found.get().state(), parked(connection, id)));
  }

  private List<Parked> parked(Connection connection, SagaId id) throws SQLException {
    List<Reader> owners =
        new ArrayList<>(
            Query.of(reads, reads.in(SUBSCRIPTIONS), Overview.ROWS_MAX)
                .rows(
                    connection,
                    row -> new Reader(Reader.Kind.SUBSCRIPTION, row.getString(1), row.getInt(2))));
    owners.add(Reader.consumer(id.saga()));
    List<Parked> parked = new ArrayList<>();
    ParkedSelection ofKey = ParkedSelection.ALL.withKey(id.key());
    for (Reader owner : owners) {
      ParkedSource table = new ParkedSource(reads, owner);
      ParkedQuery query =
          ParkedQuery.of(owner)
              .with(owner.isConsumer() ? ofKey : ofKey.withRoute(id.saga()))
              .withLimit(SagaState.PARKED_MAX);
      parked.addAll(
          table
              .inOrder(table.fitting(table.select(0), query))
              .and(" LIMIT ?", query.limit())
              .rows(connection, row -> table.read(row, 0, new PageBytes())));
    }
    return parked;
  }

  /**
   * Says what a saga waits for.
   *
   * @throws io.outledger.StoreException if the database failed
   */
  public String why(SagaId id) {
    Require.nonNull("id", id);
    return reads.read("reading saga " + id.saga(), connection -> why(connection, id));
  }

  private String why(Connection connection, SagaId id) throws SQLException {
    Optional<SagaState> found = find(connection, id, 0);
    if (found.isPresent()) {
      return SagaSentence.of(found.get());
    }
    List<Parked> parked = parked(connection, id);
    boolean isKnown =
        !parked.isEmpty()
            || Query.of(reads, reads.in(KNOWN), id.saga(), id.saga(), id.saga()).number(connection)
                > 0;
    return isKnown ? SagaSentence.missing(id, parked) : SagaSentence.unknown(id);
  }
}
