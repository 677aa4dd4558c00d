// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.admin.Moved;
import io.outledger.jdbc.admin.SubscriptionStatus;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.DeclarationTable;
import io.outledger.jdbc.spi.LedgerEdge;
import io.outledger.jdbc.spi.MoveRequest;
import io.outledger.jdbc.spi.SubscriptionStore;
import io.outledger.postgresql.OwnTransaction.Kind;
import io.outledger.store.Declaration;
import io.outledger.store.Declarations;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import javax.sql.DataSource;

/** Lists, moves and deletes subscriptions. */
final class PostgresSubscriptions implements SubscriptionStore {

  // One index step back for each subscription, and its first hole.
  private static final String LIST =
      """
      SELECT s.subscription, s.partition, s.high,
             least(coalesce(s.open_first[1], s.high + 1),
                   (SELECT min(h.first) FROM {schema}.outledger_hole h
                     WHERE h.subscription = s.subscription AND h.partition = s.partition)),
             s.saved_at, s.lease_until
        FROM {schema}.outledger_subscription s ORDER BY s.subscription, s.partition\
      """;

  // All of them: a range of the primary key. Rows that are taken stay: those of take-overs, and the
  // one that says it is gone. See CursorWrite.
  private static final List<String> DELETE =
      List.of(
          "DELETE FROM {schema}.outledger_parked WHERE subscription = ? AND partition = ?",
          "DELETE FROM {schema}.outledger_hole_block WHERE subscription = ? AND partition = ?",
          "DELETE FROM {schema}.outledger_late WHERE subscription = ? AND partition = ?",
          "DELETE FROM {schema}.outledger_status WHERE subscription = ? AND partition = ?",
          "DELETE FROM {schema}.outledger_cursor WHERE subscription = ? AND partition = ?"
              + " AND NOT taken");

  private static final String UNDECLARE =
      "DELETE FROM {schema}.outledger_declaration"
          + " WHERE reader_kind = 'subscription' AND reader = ?";

  private final DataSource dataSource;
  private final Tables tables;

  PostgresSubscriptions(DataSource dataSource, Tables tables) {
    this.dataSource = dataSource;
    this.tables = tables;
  }

  @Override
  public List<SubscriptionStatus> list() {
    return OwnTransaction.run(dataSource, Kind.READS, "listing subscriptions", this::list);
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
              Kind.WALKS,
              doing,
              connection -> {
                placing.requireThere(connection);
                return scan.edge(connection, start);
              });
      moved =
          OwnTransaction.run(
              dataSource,
              Kind.CHANGES,
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
    CursorRows.Newest newest = placing.requireThere(connection);
    OptionalLong replayed = request.replayedAbove(newest.high());
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
    return OwnTransaction.run(
        dataSource, Kind.READS, "reading declarations", declarationsOf(name)::current);
  }

  @Override
  public boolean endDeclaration(String name, Declaration declared) {
    return OwnTransaction.run(
        dataSource,
        Kind.CHANGES,
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
        Kind.CHANGES,
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
    LedgerIdentity.lockPurgedTo(connection, tables);
    placing.requireThere(connection);
    if (!new CursorRows(tables, key).write(connection, CursorWrite.DELETE, 0, null)) {
      throw running(key);
    }
    memory.forgetAll(connection);
    try (PreparedStatement statement = connection.prepareStatement(tables.in(UNDECLARE))) {
      statement.setString(1, key.subscription());
      statement.executeUpdate();
    }
    for (String sql : DELETE) {
      try (PreparedStatement statement = connection.prepareStatement(tables.in(sql))) {
        key.bind(statement, 1);
        statement.executeUpdate();
      }
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
    List<SubscriptionStatus> all = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(tables.in(LIST));
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        OffsetDateTime leaseUntil = rows.getObject(6, OffsetDateTime.class);
        all.add(
            new SubscriptionStatus(
                rows.getString(1),
                rows.getInt(2),
                rows.getLong(3),
                rows.getLong(4),
                rows.getObject(5, OffsetDateTime.class).toInstant(),
                leaseUntil == null ? null : leaseUntil.toInstant()));
      }
    }
    return all;
  }
}
