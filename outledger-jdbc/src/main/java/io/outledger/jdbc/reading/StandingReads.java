// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.Require;
import io.outledger.jdbc.admin.LedgerEntry;
import io.outledger.jdbc.admin.MessageSearch;
import io.outledger.jdbc.admin.MessageState;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.Reader.Kind;
import io.outledger.jdbc.admin.Standing;
import io.outledger.jdbc.admin.Standing.State;
import io.outledger.jdbc.reading.Ledger.Window;
import io.outledger.jdbc.spi.AdminReads;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.store.ParkedState;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One message of the ledger, found by its position or its id, and what has become of it. */
public final class StandingReads {

  // Of each subscription one step along the index; its open ranges; the primary key of what is
  // parked. Whoever is not in it has settled the message, or has a dead letter of it.
  private static final String PENDING =
      """
      SELECT p.subscription, p.partition_no, p.state FROM {schema}.outledger_pending p
       WHERE p.position = ? AND p.state IN ('waiting', 'in flight', 'paused')\
      """;

  private static final String SUBSCRIPTIONS =
      """
      SELECT s.subscription, s.partition_no FROM {schema}.outledger_subscription s
       ORDER BY s.subscription, s.partition_no LIMIT ?\
      """;

  private static final int SUBSCRIPTIONS_MAX = 1_000;

  private final AdminReads reads;
  private final Ledger ledger;

  /** Makes it, without I/O. */
  public StandingReads(AdminReads reads) {
    this.reads = Require.nonNull("reads", reads);
    this.ledger = new Ledger(reads);
  }

  /**
   * Returns the message at a position; empty where none is visible.
   *
   * @param payloadBytes at most this many bytes of its payload
   * @throws io.outledger.StoreException if the database failed
   */
  public Optional<MessageState> at(long position, int payloadBytes) {
    return reads.read(
        "looking up position " + position, connection -> at(connection, position, payloadBytes));
  }

  Optional<MessageState> at(Connection connection, long position, int payloadBytes)
      throws SQLException {
    Optional<LedgerEntry> entry = ledger.at(connection, position, payloadBytes);
    return entry.isEmpty()
        ? Optional.empty()
        : Optional.of(new MessageState(entry.get(), standings(connection, entry.get())));
  }

  /**
   * Returns a message by its id, if it is where its time says that it is, or else among the last.
   *
   * @param payloadBytes at most this many bytes of its payload
   * @throws io.outledger.StoreException if the database failed
   */
  public MessageSearch find(UUID id, int payloadBytes) {
    Require.nonNull("id", id);
    return reads.read("looking up message " + id, connection -> find(connection, id, payloadBytes));
  }

  MessageSearch find(Connection connection, UUID id, int payloadBytes) throws SQLException {
    Window window = window(connection, id);
    Optional<Long> position = ledger.find(connection, window, id);
    MessageState found =
        position.isEmpty() ? null : at(connection, position.get(), payloadBytes).orElse(null);
    return new MessageSearch(found, window.from(), window.to());
  }

  /** Returns the positions among which an id may be. */
  private Window window(Connection connection, UUID id) throws SQLException {
    Window all = ledger.all(connection);
    Instant made = Ledger.timeOf(id);
    if (all.isEmpty()) {
      return all;
    }
    if (made == null) {
      return new Window(Math.max(all.from(), all.to() - 2L * LedgerPages.OUT_OF_ORDER), all.to());
    }
    long about = ledger.positionOf(connection, all, made, Ledger.BY_ID);
    return new Window(
        Math.max(all.from(), about - LedgerPages.OUT_OF_ORDER),
        Math.min(all.to(), about + LedgerPages.OUT_OF_ORDER));
  }

  /**
   * Returns what has become of a message. What is open is read before what is parked, and that
   * before what is settled: a message moves on in this order, so it is never overlooked.
   */
  List<Standing> standings(Connection connection, LedgerEntry entry) throws SQLException {
    List<CursorKey> subscriptions =
        Query.of(reads, reads.in(SUBSCRIPTIONS), SUBSCRIPTIONS_MAX)
            .rows(connection, StandingReads::key);
    Map<CursorKey, State> pending = new HashMap<>();
    Query.of(reads, reads.in(PENDING), entry.position())
        .read(
            connection,
            row -> {
              pending.put(key(row), state(row.getString(3)));
              return true;
            });
    Map<CursorKey, List<Parked>> parked = parked(connection, entry);
    Map<CursorKey, Settled> settled = new HashMap<>();
    Query.of(reads, reads.sql().published(), entry.position())
        .read(
            connection,
            row -> {
              settled.put(
                  key(row), new Settled(reads.values().readTime(row, 3), row.getBoolean(4)));
              return true;
            });
    List<Standing> all = new ArrayList<>();
    for (CursorKey key : OwnPartitions.of(subscriptions, entry.message())) {
      all.add(
          standing(
              key,
              pending.get(key),
              parked.getOrDefault(key, List.of()),
              settled.getOrDefault(key, Settled.UNKNOWN)));
    }
    return all;
  }

  private static State state(String pending) {
    return switch (pending) {
      case "waiting" -> State.WAITING;
      case "paused" -> State.PAUSED;
      default -> State.IN_FLIGHT;
    };
  }

  private static CursorKey key(ResultSet row) throws SQLException {
    return new CursorKey(row.getString(1), row.getInt(2));
  }

  /** When a message was published at the latest, if that is known, and whether it was discarded. */
  private record Settled(@Nullable Instant publishedBy, boolean isDiscarded) {
    static final Settled UNKNOWN = new Settled(null, false);
  }

  private static Standing standing(
      CursorKey key, @Nullable State pending, List<Parked> parked, Settled settled) {
    State state = pending;
    // A copy of a replay that is not dead changes nothing of what it was published for.
    List<Parked> own =
        parked.stream().filter(row -> !row.replayed() || row.state() == ParkedState.DEAD).toList();
    if (!own.isEmpty()) {
      ParkedState worst = worst(own);
      boolean isPaused = pending == State.PAUSED && worst != ParkedState.DEAD;
      state = isPaused ? State.PAUSED : State.valueOf(worst.name());
    } else if (state == null) {
      state = settled.isDiscarded() ? State.DISCARDED : State.PUBLISHED;
    }
    Instant publishedBy = state == State.PUBLISHED ? settled.publishedBy() : null;
    return new Standing(key.subscription(), key.partition(), state, publishedBy, parked);
  }

  private static ParkedState worst(List<Parked> parked) {
    return parked.stream().map(Parked::state).max(Enum::compareTo).orElse(ParkedState.RETRYING);
  }

  // Of every subscription: few have parked one message, but each has to be asked.
  private Map<CursorKey, List<Parked>> parked(Connection connection, LedgerEntry entry)
      throws SQLException {
    Map<CursorKey, List<Parked>> all = new HashMap<>();
    for (CursorKey key :
        Query.of(
                reads,
                reads.in(
                    "SELECT DISTINCT p.subscription, p.partition_no"
                        + " FROM {schema}.outledger_subscription s"
                        + " JOIN {schema}.outledger_parked p ON p.subscription = s.subscription"
                        + " AND p.partition_no = s.partition_no AND p.position = ? AND p.id = ?"),
                entry.position(),
                UUID.fromString(entry.message().id()))
            .rows(connection, StandingReads::key)) {
      Reader owner = new Reader(Kind.SUBSCRIPTION, key.subscription(), key.partition());
      ParkedSource table = new ParkedSource(reads, owner);
      all.put(
          key,
          table
              .select(0)
              .and(
                  " AND p.position = ? AND p.id = ? ORDER BY p.route",
                  entry.position(),
                  UUID.fromString(entry.message().id()))
              .rows(connection, row -> table.read(row, 0, new PageBytes())));
    }
    return all;
  }
}
