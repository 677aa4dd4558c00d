// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.Require;
import io.outledger.event.EventTypes;
import io.outledger.event.StateType;
import io.outledger.event.TypeVersion;
import io.outledger.jdbc.admin.StoredTypes;
import io.outledger.jdbc.admin.StoredTypes.Counts;
import io.outledger.jdbc.admin.StoredTypes.StoredState;
import io.outledger.jdbc.admin.StoredTypes.StoredType;
import io.outledger.jdbc.spi.AdminReads;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The types and versions of what is there. */
public final class TypeReads {

  // Each reads its whole table once: there is no index on types, so that an append pays for none.
  private static final List<String> TABLES =
      List.of(
          counts("outledger_message m WHERE m.erased = FALSE"),
          counts("outledger_scheduled m"),
          counts("outledger_parked m"),
          counts("outledger_inbox_parked m"));

  // Likewise.
  private static final String STATES =
      """
      SELECT s.saga, s.state_type, s.state_version, COUNT(*) FROM {schema}.outledger_saga s
       GROUP BY s.saga, s.state_type, s.state_version
       ORDER BY s.saga, s.state_type, s.state_version LIMIT ?\
      """;

  private final AdminReads reads;

  /** Makes it, without I/O. */
  public TypeReads(AdminReads reads) {
    this.reads = Require.nonNull("reads", reads);
  }

  private static String counts(String rows) {
    return "SELECT m.type, m.version, COUNT(*) FROM {schema}."
        + rows
        + " GROUP BY m.type, m.version ORDER BY m.type, m.version LIMIT ?";
  }

  /**
   * Returns them, each with whether one of these types reads it.
   *
   * @param types those of messages
   * @param states those of states, by the name of their saga
   * @throws io.outledger.StoreException if the database failed
   */
  public StoredTypes stored(EventTypes types, Map<String, StateType<?>> states) {
    Require.nonNull("types", types);
    Require.nonNull("states", states);
    return reads.read(
        "listing the types of messages", connection -> stored(connection, types, states));
  }

  private StoredTypes stored(
      Connection connection, EventTypes types, Map<String, StateType<?>> known)
      throws SQLException {
    Map<TypeVersion, long[]> counts = new TreeMap<>();
    boolean isComplete = true;
    for (int table = 0; table < TABLES.size(); table++) {
      isComplete &= count(connection, table, counts);
    }
    List<StoredType> all = new ArrayList<>();
    counts.forEach(
        (type, of) ->
            all.add(
                new StoredType(type, new Counts(of[0], of[1], of[2], of[3]), isRead(types, type))));
    List<StoredState> states = states(connection, known);
    isComplete &= all.size() <= StoredTypes.ROWS_MAX && states.size() <= StoredTypes.ROWS_MAX;
    return new StoredTypes(cut(all), cut(states), isComplete);
  }

  private static <T> List<T> cut(List<T> rows) {
    return rows.subList(0, Math.min(rows.size(), StoredTypes.ROWS_MAX));
  }

  /** Counts the types of a table; returns whether these are all of them. */
  private boolean count(Connection connection, int table, Map<TypeVersion, long[]> counts)
      throws SQLException {
    int[] rows = {0};
    Query.of(reads, reads.in(TABLES.get(table)), StoredTypes.ROWS_MAX + 1)
        .read(
            connection,
            row -> {
              TypeVersion type = new TypeVersion(row.getString(1), row.getInt(2));
              counts.computeIfAbsent(type, each -> new long[TABLES.size()])[table] = row.getLong(3);
              return ++rows[0] <= StoredTypes.ROWS_MAX;
            });
    return rows[0] <= StoredTypes.ROWS_MAX;
  }

  private List<StoredState> states(Connection connection, Map<String, StateType<?>> known)
      throws SQLException {
    return Query.of(reads, reads.in(STATES), StoredTypes.ROWS_MAX + 1)
        .rows(
            connection,
            row -> {
              String saga = row.getString(1);
              TypeVersion type = new TypeVersion(row.getString(2), row.getInt(3));
              StateType<?> state = known.get(saga);
              return new StoredState(
                  saga, type, row.getLong(4), state != null && state.reads(type));
            });
  }

  private static boolean isRead(EventTypes types, TypeVersion type) {
    return !types.readAs(type.name(), type.version()).isEmpty();
  }
}
