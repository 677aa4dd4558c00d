// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.Require;
import io.outledger.event.EventTypes;
import io.outledger.event.TypeVersion;
import io.outledger.jdbc.admin.StoredTypes;
import io.outledger.jdbc.admin.StoredTypes.StoredType;
import io.outledger.jdbc.spi.AdminReads;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The types and versions of the messages that are there. */
public final class TypeReads {

  // Each reads its whole table once: there is no index on types, so that an append pays for none.
  private static final List<String> TABLES =
      List.of(
          counts("outledger_message m WHERE m.erased = FALSE"),
          counts("outledger_parked m"),
          counts("outledger_inbox_parked m"));

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
   * @throws io.outledger.StoreException if the database failed
   */
  public StoredTypes stored(EventTypes types) {
    Require.nonNull("types", types);
    return reads.read("listing the types of messages", connection -> stored(connection, types));
  }

  private StoredTypes stored(Connection connection, EventTypes types) throws SQLException {
    Map<TypeVersion, long[]> counts = new TreeMap<>();
    boolean isComplete = true;
    for (int table = 0; table < TABLES.size(); table++) {
      int place = table;
      int[] rows = {0};
      Query.of(reads, reads.in(TABLES.get(table)), StoredTypes.ROWS_MAX + 1)
          .read(
              connection,
              row -> {
                TypeVersion type = new TypeVersion(row.getString(1), row.getInt(2));
                counts.computeIfAbsent(type, each -> new long[TABLES.size()])[place] =
                    row.getLong(3);
                return ++rows[0] <= StoredTypes.ROWS_MAX;
              });
      isComplete &= rows[0] <= StoredTypes.ROWS_MAX;
    }
    List<StoredType> all = new ArrayList<>();
    counts.forEach(
        (type, of) -> all.add(new StoredType(type, of[0], of[1], of[2], isRead(types, type))));
    isComplete &= all.size() <= StoredTypes.ROWS_MAX;
    return new StoredTypes(all.subList(0, Math.min(all.size(), StoredTypes.ROWS_MAX)), isComplete);
  }

  private static boolean isRead(EventTypes types, TypeVersion type) {
    return !types.readAs(type.name(), type.version()).isEmpty();
  }
}
