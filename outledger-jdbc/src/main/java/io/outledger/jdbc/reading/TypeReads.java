// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.Require;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.event.TypeVersion;
import io.outledger.jdbc.admin.StoredTypes;
import io.outledger.jdbc.admin.StoredTypes.Counts;
import io.outledger.jdbc.admin.StoredTypes.StoredState;
import io.outledger.jdbc.admin.StoredTypes.StoredType;
import io.outledger.jdbc.spi.AdminReads;
import io.outledger.jdbc.spi.HeaderText;
import io.outledger.jdbc.spi.SagaText;
import io.outledger.saga.SagaId;
import io.outledger.saga.SagaPhase;
import io.outledger.saga.SagaReader;
import io.outledger.saga.SagaRow;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The types and versions of what is there. */
public final class TypeReads {

  private static final String SCHEDULED = "outledger_scheduled m WHERE 1 = 1";
  private static final String IN_LEDGER = "outledger_message m WHERE m.erased = FALSE";
  private static final String PARKED = "outledger_parked m WHERE 1 = 1";
  private static final String RECEIVED = "outledger_inbox_parked m WHERE 1 = 1";

  // As a message goes, so that none is missed that moves meanwhile. Each reads its whole table
  // once: there is no index on types, so that an append pays for none.
  private static final List<String> TABLES = List.of(SCHEDULED, IN_LEDGER, PARKED, RECEIVED);

  // Where a time-out waits, and what tells whose it is: parked, it is in the saga's own route. One
  // in the ledger may have been handled, and one that a broker brings has no effect. The header is
  // SagaWork's, and no value has an equals sign where headers are stored.
  private static final Map<String, String> TIMEOUTS = Map.of(SCHEDULED, "NULL", PARKED, "m.route");
  private static final String IS_TIMEOUT = " AND m.headers LIKE '%saga-token=%'";

  // Each row is read as a step would read it, since only that tells whether a step could.
  private static final String SAGAS =
      """
      SELECT s.saga, s.saga_key, s.version, s.done_steps, s.state_type, s.state_version, s.payload
        FROM {schema}.outledger_saga s\
      """;

  private final AdminReads reads;

  /** Makes it, without I/O. */
  public TypeReads(AdminReads reads) {
    this.reads = Require.nonNull("reads", reads);
  }

  /**
   * Returns them, each with whether these types or sagas read it.
   *
   * @param events whose types and serializer read messages
   * @param sagas read those that are stored
   * @throws io.outledger.StoreException if the database failed
   */
  public StoredTypes stored(Events events, List<SagaReader<?>> sagas) {
    Require.nonNull("events", events);
    Require.nonNull("sagas", sagas);
    return reads.read(
        "listing the types of messages", connection -> stored(connection, events, sagas));
  }

  private StoredTypes stored(Connection connection, Events events, List<SagaReader<?>> sagas)
      throws SQLException {
    Set<TypeVersion> timeouts = new HashSet<>();
    for (String table : TIMEOUTS.keySet()) {
      timeouts.addAll(untaken(connection, table, events.types(), sagas));
    }
    Map<TypeVersion, long[]> counts = new TreeMap<>();
    boolean isComplete = true;
    OtherPayloads others = new OtherPayloads(events.contentTypes());
    for (int table = 0; table < TABLES.size(); table++) {
      isComplete &= count(connection, table, others, counts);
    }
    List<StoredType> all = new ArrayList<>();
    counts.forEach(
        (type, of) ->
            all.add(
                new StoredType(
                    type,
                    new Counts(
                        of[TABLES.indexOf(IN_LEDGER)],
                        of[TABLES.indexOf(SCHEDULED)],
                        of[TABLES.indexOf(PARKED)],
                        of[TABLES.indexOf(RECEIVED)]),
                    unread(events, type, of[TABLES.size()], timeouts.contains(type)))));
    List<StoredState> states = states(connection, sagas);
    isComplete &= all.size() <= StoredTypes.ROWS_MAX && states.size() <= StoredTypes.ROWS_MAX;
    return new StoredTypes(cut(all), cut(states), isComplete);
  }

  private static <T> List<T> cut(List<T> rows) {
    return rows.subList(0, Math.min(rows.size(), StoredTypes.ROWS_MAX));
  }

  /** Counts the types of a table; returns whether these are all of them. */
  private boolean count(
      Connection connection, int table, OtherPayloads others, Map<TypeVersion, long[]> counts)
      throws SQLException {
    int[] rows = {0};
    long[] suspected = {0};
    String from = reads.in(" FROM {schema}." + TABLES.get(table));
    Query.of(reads, "SELECT m.type, m.version, COUNT(*), COUNT(CASE WHEN ")
        .and(others.suspected(reads))
        .and(
            " THEN 1 END)"
                + from
                + " GROUP BY m.type, m.version ORDER BY m.type, m.version LIMIT ?",
            StoredTypes.ROWS_MAX + 1)
        .read(
            connection,
            row -> {
              TypeVersion type = new TypeVersion(row.getString(1), row.getInt(2));
              long[] of = counts.computeIfAbsent(type, each -> new long[TABLES.size() + 1]);
              of[table] = row.getLong(3);
              suspected[0] += row.getLong(4);
              return ++rows[0] <= StoredTypes.ROWS_MAX;
            });
    if (suspected[0] > 0) {
      countOthers(connection, from, others, counts);
    }
    return rows[0] <= StoredTypes.ROWS_MAX;
  }

  private void countOthers(
      Connection connection, String from, OtherPayloads others, Map<TypeVersion, long[]> counts)
      throws SQLException {
    Query.of(reads, "SELECT m.type, m.version, m.headers" + from + " AND ")
        .and(others.suspected(reads))
        .read(
            connection,
            row -> {
              long[] of = counts.get(new TypeVersion(row.getString(1), row.getInt(2)));
              if (of != null && others.isOne(row.getString(3))) {
                of[TABLES.size()]++;
              }
              return true;
            });
  }

  /** Returns the types of the time-outs in a table that the saga of one does not take. */
  private Set<TypeVersion> untaken(
      Connection connection, String table, EventTypes types, List<SagaReader<?>> sagas)
      throws SQLException {
    Map<String, Set<TypeVersion>> bySaga = new HashMap<>();
    String from = " FROM {schema}." + table + IS_TIMEOUT;
    String columns = "SELECT m.type, m.version, m.headers, " + TIMEOUTS.get(table);
    Query.of(reads, reads.in(columns + from))
        .read(
            connection,
            row -> {
              TypeVersion type = new TypeVersion(row.getString(1), row.getInt(2));
              String route = row.getString(4);
              sagaOf(row.getString(3))
                  .filter(saga -> route == null || route.equals(saga))
                  .ifPresent(
                      saga -> bySaga.computeIfAbsent(saga, any -> new HashSet<>()).add(type));
              return true;
            });
    Set<TypeVersion> untaken = new HashSet<>();
    bySaga.forEach(
        (saga, all) ->
            all.stream()
                .filter(
                    type -> sagas.stream().noneMatch(each -> each.takesTimeout(types, type, saga)))
                .forEach(untaken::add));
    return untaken;
  }

  /** One whose headers are broken is read by no build; it becomes a dead letter. */
  private static Optional<String> sagaOf(@Nullable String headers) {
    try {
      return SagaReader.sagaOf(HeaderText.decode(headers));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * Counts the sagas by what they are of, and why they are not read; more than are listed end it.
   */
  private List<StoredState> states(Connection connection, List<SagaReader<?>> sagas)
      throws SQLException {
    Map<StoredState, Long> counts = new HashMap<>();
    Query.of(reads, reads.in(SAGAS))
        .read(
            connection,
            row -> {
              counts.merge(state(row, sagas), 1L, Long::sum);
              return counts.size() <= StoredTypes.ROWS_MAX;
            });
    return counts.entrySet().stream()
        .map(
            each ->
                new StoredState(
                    each.getKey().saga(),
                    each.getKey().type(),
                    each.getValue(),
                    each.getKey().unread()))
        .sorted(
            Comparator.comparing(StoredState::saga)
                .thenComparing(StoredState::type)
                .thenComparing(each -> String.valueOf(each.unread())))
        .toList();
  }

  /** Returns what a row is of, without a count. */
  private static StoredState state(ResultSet row, List<SagaReader<?>> sagas) throws SQLException {
    SagaRow saga =
        new SagaRow(
            new SagaId(row.getString(1), row.getString(2)),
            row.getLong(3),
            SagaPhase.RUNNING, // which no build reads in another way
            SagaText.progress(null, null, row.getString(4)),
            new TypeVersion(row.getString(5), row.getInt(6)),
            row.getBytes(7));
    Optional<SagaReader<?>> reader =
        sagas.stream().filter(each -> each.name().equals(saga.id().saga())).findFirst();
    String unread =
        reader.isEmpty()
            ? "this build has no saga of that name"
            : reader.get().problem(saga).orElse(null);
    return new StoredState(saga.id().saga(), saga.type(), 0, unread);
  }

  /** Returns why a type is not read, for people; null where it is. */
  private static @Nullable String unread(
      Events events, TypeVersion type, long others, boolean isTimeout) {
    if (events.types().readAs(type.name(), type.version()).isEmpty()) {
      return "this build has no class for it";
    }
    if (isTimeout) {
      return "the saga of time-outs among them does not take them in this build";
    }
    return others == 0
        ? null
        : others
            + " of them have another content-type than "
            + String.join(", ", new TreeSet<>(events.contentTypes()))
            + ", which is all that the serializer of this build reads";
  }
}
