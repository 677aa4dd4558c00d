// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.Require;
import io.outledger.jdbc.admin.ConsumerState;
import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.admin.DeclarationState;
import io.outledger.jdbc.admin.Listing;
import io.outledger.jdbc.admin.Overview;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.spi.AdminReads;
import io.outledger.store.Declaration;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Consumers, and what is declared. */
public final class OtherReads {

  // The first rows of the consumer's parts of the primary key.
  private static final String REMEMBERED =
      """
      SELECT COUNT(*), MIN(c.processed_minute)
        FROM (SELECT i.processed_minute FROM {schema}.outledger_inbox i
               WHERE i.consumer_no IN (
                     SELECT n.consumer_no FROM {schema}.outledger_inbox_consumer n
                      WHERE n.consumer = ?)
               LIMIT ?) c\
      """;

  // The primary key, in its order.
  private static final String DECLARED =
      """
      SELECT d.reader_kind, d.reader, d.route, d.takes, d.what, d.ended, d.declared_by,
             d.declared_at
        FROM {schema}.outledger_declaration d WHERE d.renamed_to IS NULL\
      """;

  private final AdminReads reads;
  private final ParkedPages parked;

  /** Makes it, without I/O. */
  public OtherReads(AdminReads reads) {
    this.reads = Require.nonNull("reads", reads);
    this.parked = new ParkedPages(reads);
  }

  /**
   * Returns the consumers that have processed or parked a message, by name, the first {@value
   * Overview#ROWS_MAX}.
   *
   * @throws io.outledger.StoreException if the database failed
   */
  public List<ConsumerState> consumers() {
    return consumers("").rows();
  }

  /**
   * Returns the consumers behind a name.
   *
   * @param after the last one of the page before; empty for the first page
   * @throws io.outledger.StoreException if the database failed
   */
  public Listing<ConsumerState, String> consumers(String after) {
    Require.nonNull("after", after);
    return reads.read(
        "reading what consumers remember",
        connection -> {
          List<ConsumerState> all = new ArrayList<>();
          Iterator<String> names =
              new TreeSet<>(reads.consumers(connection)).tailSet(after, false).iterator();
          while (names.hasNext() && all.size() < Overview.ROWS_MAX) {
            all.add(consumer(connection, names.next()));
          }
          return new Listing<>(all, names.hasNext() ? all.get(all.size() - 1).name() : null);
        });
  }

  private ConsumerState consumer(Connection connection, String name) throws SQLException {
    record Remembered(Count count, @Nullable Instant oldest) {}
    Remembered remembered =
        Query.of(reads, reads.in(REMEMBERED), name, Count.MAX + 1)
            .first(connection, row -> new Remembered(Count.of(row.getLong(1)), minute(row, 2)))
            .orElseThrow();
    return new ConsumerState(
        name,
        remembered.count(),
        remembered.oldest(),
        parked.counts(connection, Reader.consumer(name)));
  }

  private static @Nullable Instant minute(ResultSet row, int column) throws SQLException {
    long minute = row.getLong(column);
    return row.wasNull() ? null : Instant.EPOCH.plus(minute, ChronoUnit.MINUTES);
  }

  /**
   * Returns what is declared, by owner, the first {@value Count#MAX}.
   *
   * @param owner of one alone; null for all
   * @throws io.outledger.StoreException if the database failed
   */
  public List<DeclarationState> declarations(@Nullable Reader owner) {
    return reads.read(
        "reading declarations",
        connection -> {
          Query query = Query.of(reads, reads.in(DECLARED));
          if (owner != null) {
            query.and(
                " AND d.reader_kind = ? AND d.reader = ?", owner.kind().stored(), owner.name());
          }
          return query
              .and(" ORDER BY d.reader_kind, d.reader, d.route, d.takes, d.what LIMIT ?", Count.MAX)
              .rows(connection, this::declaration);
        });
  }

  private DeclarationState declaration(ResultSet row) throws SQLException {
    return new DeclarationState(
        new Reader(Reader.Kind.of(row.getString(1)), row.getString(2), 0),
        new Declaration(row.getString(3), Declaration.takes(row.getString(4)), row.getString(5)),
        row.getBoolean(6),
        row.getString(7),
        reads.values().time(row, 8));
  }
}
