// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.HoleTracker;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.sql.Sql;
import io.outledger.servers.Await;
import io.outledger.store.CursorRow;
import io.outledger.store.LeaseGrant;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import io.outledger.store.SaveOutcome;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Holes are dropped on proof, and on nothing else. */
abstract class GateProofIT {

  private final TestDatabase database;

  private final UUID incarnation = UUID.randomUUID();
  private final HoleTracker holes = new HoleTracker();

  GateProofIT(TestDatabase empty) {
    this.database = empty.withTables();
  }

  @AfterEach
  void close() {
    database.close();
  }

  private static Message message(String key) {
    return Message.to("orders", "OrderPlaced").key(key).payload(new byte[0]).build();
  }

  private void append(Connection transaction, String key) throws SQLException {
    new AppendStatement(database.tables()).append(transaction, List.of(message(key)));
  }

  private Connection begin() throws SQLException {
    Connection connection = database.connect();
    connection.setAutoCommit(false);
    return connection;
  }

  private long committed(String key) throws SQLException {
    try (Connection connection = begin()) {
      append(connection, key);
      connection.commit();
    }
    return database.number("SELECT MAX(m.position) FROM {schema}.outledger_message m");
  }

  @Test
  void holeOfARolledBackTransactionIsDropped() throws SQLException {
    try (RelayStore store = database.store("s", Start.EARLIEST);
        Connection rolledBack = begin()) {
      Owner owner = new Owner(store);
      append(rolledBack, "lost");
      long last = committed("kept");
      owner.readTo(last);
      assertThat(owner.open).isEqualTo(Positions.of(1));
      rolledBack.rollback();
      owner.untilNoHoleIsLeft();
    }
  }

  @Test
  void holeOfAnOpenTransactionStaysAndIsFilled() throws SQLException {
    try (RelayStore store = database.store("s", Start.EARLIEST);
        Connection late = begin()) {
      Owner owner = new Owner(store);
      append(late, "late");
      owner.readTo(committed("early"));
      owner.for3Seconds();
      assertThat(owner.open).isEqualTo(Positions.of(1));
      late.commit();
      owner.untilNoHoleIsLeft();
      assertThat(owner.shown.contains(1)).isTrue();
    }
  }

  @Test
  void holeOfAPreparedTransactionStaysAndIsFilled() throws SQLException {
    try (RelayStore store = database.store("s", Start.EARLIEST);
        Connection prepared = database.connect()) {
      Owner owner = new Owner(store);
      execute(prepared, "XA START 'a'");
      append(prepared, "prepared");
      execute(prepared, "XA END 'a'");
      execute(prepared, "XA PREPARE 'a'");
      owner.readTo(committed("early"));
      owner.for3Seconds();
      assertThat(owner.open).isEqualTo(Positions.of(1));
      execute(prepared, "XA COMMIT 'a'");
      owner.untilNoHoleIsLeft();
      assertThat(owner.shown.contains(1)).isTrue();
    }
  }

  /** Its numbers are reserved one, two and four at a time, so two stay unused. */
  @Test
  void holesOfAFileThatIsBeingLoadedStayAndAreFilled() throws SQLException {
    LoadedFile.allow(database);
    try (RelayStore store = database.store("s", Start.EARLIEST);
        Connection late = database.dataSource(LoadedFile.PARAMETERS).getConnection()) {
      Owner owner = new Owner(store);
      late.setAutoCommit(false);
      LoadedFile.append(late, IntStream.range(0, 5).mapToObj(i -> message("late")).toList());
      owner.readTo(committed("early"));
      owner.for3Seconds();
      Positions rows = Positions.range(1, 5);
      assertThat(rows.minus(owner.open)).isEqualTo(Positions.NONE);
      late.commit();
      owner.untilNoHoleIsLeft();
      assertThat(rows.minus(owner.shown)).isEqualTo(Positions.NONE);
    }
  }

  private void execute(Connection connection, String sql) throws SQLException {
    Sql.in(database.tables(), connection, sql).update();
  }

  /** Owns the subscription as a relay does, one step a call. */
  private final class Owner {

    private final RelayStore store;
    private final LeaseGrant grant;
    private long n;
    private long high;
    private Positions open = Positions.NONE;
    private Positions shown = Positions.NONE;

    Owner(RelayStore store) {
      this.store = store;
      CursorRow seen = store.look();
      this.grant = store.takeOver(seen, incarnation, TestDatabase.LEASE, () -> {}).orElseThrow();
      this.n = grant.n();
      this.high = grant.frontier().high();
    }

    void readTo(long position) {
      step();
      assertThat(high).isEqualTo(position);
      save();
    }

    private void step() {
      Page page = store.poll(new PollRequest(high, 100, 1 << 20, open));
      assertThat(page.server()).isEqualTo(grant.server());
      Positions found =
          Positions.of(page.messages().stream().mapToLong(each -> each.position()).toArray());
      Positions lookedFor =
          page.readTo() > high ? open.union(Positions.range(high + 1, page.readTo())) : open;
      shown = shown.union(found);
      HoleTracker.Looked looked = holes.looked(lookedFor, found, page.snapshot());
      high = Math.max(high, page.readTo());
      open = lookedFor.minus(found).minus(looked.dead());
    }

    private void save() {
      SaveOutcome outcome =
          store.save(
              new Save(
                  n,
                  incarnation,
                  grant.server(),
                  TestDatabase.LEASE,
                  new Frontier(high, open),
                  Positions.NONE,
                  Positions.NONE,
                  List.of(),
                  null,
                  Set.of()));
      holes.saved(((SaveOutcome.Saved) outcome).witness());
      n++;
    }

    void untilNoHoleIsLeft() {
      Await.until(
          () -> "open: " + open,
          Duration.ofSeconds(20),
          () -> {
            step();
            return open.isEmpty();
          });
    }

    void for3Seconds() {
      var end = database.now().plusSeconds(3);
      Await.until(
          () -> "time passes",
          Duration.ofSeconds(20),
          () -> {
            step();
            return database.now().isAfter(end);
          });
    }
  }
}
