// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.admin.Moved;
import io.outledger.jdbc.admin.SubscriptionStatus;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.DeclarationTable;
import io.outledger.jdbc.spi.LedgerEdge;
import io.outledger.jdbc.spi.MoveRequest;
import io.outledger.jdbc.spi.SubscriptionStore;
import io.outledger.store.Declaration;
import io.outledger.store.Declarations;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import javax.sql.DataSource;

/** Lists, moves and deletes subscriptions. */
final class H2Subscriptions implements SubscriptionStore {

  private static final String LIST =
      """
      SELECT s.subscription, s.partition, s.high,
             LEAST(COALESCE(CASE WHEN CARDINALITY(s.open_first) > 0 THEN s.open_first[1] END,
                            s.high + 1),
                   COALESCE((SELECT MIN(h.first_position) FROM {schema}.outledger_hole h
                              WHERE h.subscription = s.subscription
                                AND h.partition = s.partition), s.high + 1)),
             s.saved_at, s.lease_until
        FROM {schema}.outledger_subscription s ORDER BY s.subscription, s.partition\
      """;

  // All of them: a range of the primary key. Rows of take-overs stay, as does the one that says it
  // is gone: see CursorRows.
  private static final List<String> DELETE =
      List.of(
          "DELETE FROM {schema}.outledger_parked WHERE subscription = ? AND partition = ?",
          "DELETE FROM {schema}.outledger_hole WHERE subscription = ? AND partition = ?",
          "DELETE FROM {schema}.outledger_status WHERE subscription = ? AND partition = ?",
          """
          DELETE FROM {schema}.outledger_cursor
           WHERE subscription = ? AND partition = ? AND NOT taken\
          """);

  private static final String UNDECLARE =
      "DELETE FROM {schema}.outledger_declaration"
          + " WHERE reader_kind = 'subscription' AND reader = ?";

  private final DataSource dataSource;
  private final Tables tables;

  H2Subscriptions(DataSource dataSource, Tables tables) {
    this.dataSource = dataSource;
    this.tables = tables;
  }

  @Override
  public List<SubscriptionStatus> list() {
    return OwnTransaction.run(dataSource, "listing subscriptions", this::list);
  }

  @Override
  public Moved move(String name, Start start, boolean processAgain) {
    CursorKey key = new CursorKey(name, 0);
    LedgerScan scan = new LedgerScan(tables);
    CursorPlacing placing = new CursorPlacing(tables, key);
    String doing = "moving subscription " + name;
    Optional<Moved> moved;
    do {
      Optional<LedgerEdge> found =
          OwnTransaction.run(
              dataSource,
              doing,
              connection -> {
                placing.requireThere(connection);
                return scan.edge(connection, start);
              });
      moved =
          OwnTransaction.run(
              dataSource,
              doing,
              connection -> place(connection, key, new MoveRequest(start, found, processAgain)));
    } while (moved.isEmpty());
    return moved.get();
  }

  /**
   * Moves it. What its handlers remember may be millions of rows, so it is counted or forgotten
   * before anything is locked that the owner or a purge waits for, and what was written meanwhile
   * is forgotten after.
   */
  private Optional<Moved> place(Connection connection, CursorKey key, MoveRequest request)
      throws SQLException {
    CursorPlacing placing = new CursorPlacing(tables, key);
    HandlersMemory memory = new HandlersMemory(tables, key);
    CursorRows.Row newest = placing.requireThere(connection);
    OptionalLong replayed = request.replayedAbove(newest.frontier().high());
    long known = request.processAgain() ? 0 : memory.count(connection, replayed);
    long forgotten = request.processAgain() ? memory.forget(connection, replayed) : 0;
    Optional<Moved> placed = placing.move(connection, request.start(), request.found());
    if (placed.isEmpty()) {
      connection.rollback();
      return placed;
    }
    Moved moved = placed.get(); // from where the owner had come to meanwhile
    if (request.processAgain()) {
      forgotten += memory.forget(connection, request.replayedAbove(moved.from()));
    }
    return Optional.of(new Moved(moved.from(), moved.to(), known, forgotten));
  }

  @Override
  public Declarations declarations(String name) {
    return OwnTransaction.run(dataSource, "reading declarations", declarationsOf(name)::current);
  }

  @Override
  public boolean endDeclaration(String name, Declaration declared) {
    return OwnTransaction.run(
        dataSource,
        "ending a declaration of subscription " + name,
        declarationsOf(name).ending(declared)::on);
  }

  private DeclarationTable declarationsOf(String name) {
    return new DeclarationTable(DeclarationTable.Reader.subscription(name, ""), tables::in);
  }

  @Override
  public void delete(String name) {
    OwnTransaction.run(
        dataSource,
        "deleting subscription " + name,
        connection -> delete(connection, new CursorKey(name, 0)));
  }

  /**
   * Deletes it, and what its handlers remember: one that is created again processes everything.
   * That may be millions of rows, so it is forgotten before anything is locked that a purge waits
   * for, and what was written meanwhile after.
   */
  private boolean delete(Connection connection, CursorKey key) throws SQLException {
    CursorPlacing placing = new CursorPlacing(tables, key);
    HandlersMemory memory = new HandlersMemory(tables, key);
    if (placing.requireThere(connection).isOwned()) {
      throw running(key);
    }
    memory.forgetAll(connection);
    new Ledger(tables).lockRetention(connection);
    CursorRows.Row newest = placing.requireThere(connection);
    if (newest.isOwned()) {
      throw running(key);
    }
    memory.forgetAll(connection);
    new CursorRows(tables, key).place(connection, newest, CursorRows.Kind.GONE, 0, null);
    Sql.of(connection, tables.in(UNDECLARE), key.subscription()).update();
    for (String sql : DELETE) {
      Sql.of(connection, tables.in(sql), key.subscription(), key.partition()).update();
    }
    return true;
  }

  private static ConfigurationException running(CursorKey key) {
    return new ConfigurationException(
        ErrorCode.SUBSCRIPTION_RUNNING,
        "subscription \""
            + key
            + "\" cannot be deleted because a relay has a lease on it: close its relays first;"
            + " the lease of a crashed relay expires by itself");
  }

  private List<SubscriptionStatus> list(Connection connection) throws SQLException {
    return Sql.of(connection, tables.in(LIST))
        .rows(
            row -> {
              OffsetDateTime leaseUntil = row.getObject(6, OffsetDateTime.class);
              return new SubscriptionStatus(
                  row.getString(1),
                  row.getInt(2),
                  row.getLong(3),
                  row.getLong(4),
                  row.getObject(5, OffsetDateTime.class).toInstant(),
                  leaseUntil == null ? null : leaseUntil.toInstant());
            });
  }
}
