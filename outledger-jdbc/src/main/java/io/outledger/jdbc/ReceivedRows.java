// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.inbox.InboxId;
import io.outledger.inbox.InboxRetention;
import io.outledger.inbox.Received;
import io.outledger.jdbc.spi.Admission;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.InboxProof;
import io.outledger.jdbc.spi.ReceivedTable;
import io.outledger.jdbc.spi.ReceivedTable.Look;
import io.outledger.receive.ParkedReceived;
import io.outledger.receive.ReceiverStore;
import io.outledger.store.Declaration;
import io.outledger.store.ParkedFailure;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A consumer's messages in a database: processed once, or parked. Thread-safe.
 *
 * <p>Two transactions must not process messages of one key at the same time. Whoever processes a
 * parked message has the lock of its key and has then seen that it is the first. A message that was
 * just received meets the parked ones as rows that block; where they might be made to block now,
 * because dead letters of the key can be retried, its transaction takes the lock as well.
 */
final class ReceivedRows implements ReceiverStore {

  /** A consumer's work on a message, and the number of the attempt; it explains what it throws. */
  interface Work {
    void handle(Connection connection, Received message, int attempt) throws Exception;
  }

  /** A consumer, how long its inbox remembers, its transactions, and what is declared of it. */
  record Memory(
      String consumer,
      InboxRetention retention,
      WorkTransactions working,
      ConsumerDeclarations declarations) {}

  private final Memory memory;
  private final String consumer;
  private final Database database;
  private final JdbcTransactions transactions;
  private final Concern concern;
  private final ConsumerDeclarations declarations;
  private final Work work;
  private final LeftToOthers left = new LeftToOthers(TimeSource.system());

  ReceivedRows(
      Memory memory, Database database, JdbcTransactions transactions, Concern concern, Work work) {
    this.memory = memory;
    this.consumer = memory.consumer();
    this.database = database;
    this.transactions = transactions;
    this.concern = concern;
    this.declarations = memory.declarations();
    this.work = work;
  }

  @Override
  public String consumer() {
    return consumer;
  }

  @Override
  public InboxRetention retention() {
    return memory.retention();
  }

  @Override
  public Set<InboxId> known(List<Received> batch) {
    Set<InboxId> ids = batch.stream().map(Received::inboxId).collect(Collectors.toSet());
    return in("look up messages", connection -> table().known(connection, consumer, ids));
  }

  @Override
  public Processed process(List<Received> batch, int parkedMax) throws Exception {
    declarations.declare();
    List<Received> notOwn = batch.stream().filter(each -> !concern.isOwn(each)).toList();
    Iterator<Optional<Declaration>> others = declarations.others(notOwn).iterator();
    List<Received> handled = new ArrayList<>();
    List<Received> held = new ArrayList<>();
    List<Received> stretch = new ArrayList<>();
    for (Received message : batch) {
      Optional<Declaration> other = concern.isOwn(message) ? Optional.empty() : others.next();
      if (other.isPresent()) { // what is behind it in its key must find it parked
        processHere(stretch, parkedMax, handled, held);
        stretch.clear();
        keepForOther(message, other.get(), parkedMax);
        held.add(message);
      } else {
        stretch.add(message);
      }
    }
    processHere(stretch, parkedMax, handled, held);
    return new Processed(handled, held);
  }

  private void processHere(
      List<Received> stretch, int parkedMax, List<Received> handled, List<Received> held)
      throws Exception {
    Map<InboxId, Received> first = new LinkedHashMap<>();
    concern.of(stretch).forEach(message -> first.putIfAbsent(message.inboxId(), message));
    for (List<Received> unit : memory.working().units(List.copyOf(first.values()))) {
      Processed processed = together(unit, parkedMax);
      handled.addAll(processed.handled());
      held.addAll(processed.held());
    }
    concern.passOver(stretch);
  }

  private void keepForOther(Received message, Declaration declared, int parkedMax) {
    declarations.tellLacked(declared);
    park(message, LeftToOthers.parked(declared), parkedMax);
  }

  private Processed together(List<Received> unit, int parkedMax) throws Exception {
    return memory
        .working()
        .run(
            unit.get(0).headers(),
            (connection, done) -> {
              Set<InboxId> fresh = new HashSet<>();
              List<Received> held = admit(connection, unit, fresh);
              if (!held.isEmpty()) {
                hold(connection, held, parkedMax);
              }
              requireName(connection);
              List<Received> handled =
                  unit.stream().filter(each -> fresh.contains(each.inboxId())).toList();
              for (Received message : handled) {
                work.handle(connection, message, 1);
              }
              handled.forEach(message -> done.add(message.inboxId()));
              return new Processed(handled, held);
            });
  }

  /** Remembers the messages that are free to be processed, and returns those that are not. */
  private List<Received> admit(Connection connection, List<Received> batch, Set<InboxId> fresh)
      throws SQLException {
    try {
      Admission all = table().admit(connection, consumer, batch, Look.FIRST);
      Set<InboxId> blocked = new HashSet<>(all.blocked());
      remember(connection, all, fresh);
      if (!all.dead().isEmpty()) {
        List<Received> again =
            batch.stream().filter(each -> all.dead().contains(each.inboxId())).toList();
        lock(connection, again.stream().map(ReceivedRows::keyOf).distinct().toList());
        Admission locked = table().admit(connection, consumer, again, memory.working().locked());
        blocked.addAll(locked.blocked());
        remember(connection, locked, fresh);
      }
      return batch.stream().filter(each -> blocked.contains(each.inboxId())).toList();
    } catch (SQLException e) {
      throw WriteFailure.of(database.errors(), e, "remember messages of consumer " + consumer);
    }
  }

  /**
   * Refuses what a member with a name that was given up has found free: messages of its keys may be
   * parked in the new name, out of its sight. So it looks at the name after it has looked at what
   * is parked. A parked message that it tries is locked, and cannot be given to another name.
   */
  private void requireName(Connection connection) {
    try {
      declarations.look(connection);
    } catch (SQLException e) {
      throw WriteFailure.of(database.errors(), e, "read what consumer " + consumer + " handles");
    }
  }

  private static void remember(Connection connection, Admission admitted, Set<InboxId> fresh)
      throws SQLException {
    if (admitted.proof().isPresent()) {
      InboxRows.remember(connection, admitted.proof().get());
      fresh.addAll(admitted.proof().get().ids());
    }
  }

  /** A key, and what it belongs to. */
  private record SpacedKey(String space, String key) {}

  private static SpacedKey keyOf(Received message) {
    return new SpacedKey(message.keySpace(), String.valueOf(message.key()));
  }

  private void lock(Connection connection, Collection<SpacedKey> keys) throws SQLException {
    database
        .keyLocks()
        .lock(
            connection,
            keys.stream()
                .map(
                    each -> "received by " + consumer + " from " + each.space() + ": " + each.key())
                .toList());
  }

  private void hold(Connection connection, List<Received> held, int parkedMax) {
    try {
      park(connection, held, ParkedFailure.HELD, parkedMax);
    } catch (SQLException e) {
      throw WriteFailure.of(database.errors(), e, "hold messages of consumer " + consumer);
    }
  }

  private int park(
      Connection connection, List<Received> messages, ParkedFailure failure, int parkedMax)
      throws SQLException {
    int count = table().count(connection, consumer, parkedMax);
    if (count + messages.size() > parkedMax) {
      throw new StoreException(
          ErrorCode.TOO_MANY_PARKED,
          "consumer "
              + consumer
              + " has "
              + count
              + " parked messages, so "
              + messages.size()
              + " more would exceed the limit of "
              + parkedMax
              + "; fix its handler, or retry or discard its dead letters",
          null);
    }
    return table().park(connection, consumer, messages, failure);
  }

  @Override
  public boolean park(Received message, ParkedFailure failure, int parkedMax) {
    return in(
        "park a message",
        connection -> {
          boolean isParked = park(connection, List.of(message), failure, parkedMax) > 0;
          requireName(connection);
          return isParked;
        });
  }

  /** Returns how many messages the consumer has parked, or the limit where they are more. */
  int count(int limit) {
    return in("count parked messages", connection -> table().count(connection, consumer, limit));
  }

  @Override
  public List<ParkedReceived> due(int limit) {
    int more = left.count(); // what is left to others hides nothing
    List<ParkedReceived> due =
        in("read parked messages", connection -> table().due(connection, consumer, limit + more));
    return left.without(due).stream().limit(limit).toList();
  }

  @Override
  public Optional<ParkedReceived> next(ParkedReceived removed) {
    return removed.key() == null
        ? Optional.empty()
        : in("read parked messages", connection -> table().next(connection, consumer, removed));
  }

  @Override
  public boolean retry(ParkedReceived parked) throws Exception {
    declarations.declare();
    List<Declaration> others = new ArrayList<>();
    boolean isDone =
        memory
            .working()
            .run(headersOf(parked), (connection, done) -> retry(connection, parked, done, others));
    if (!others.isEmpty()) {
      declarations.tellLacked(others.get(0));
      left.leave(parked, others.get(0)).ifPresent(later -> fail(parked, later));
    }
    return isDone;
  }

  /** The headers are wanted before the transaction that locks the row begins. */
  private Map<String, String> headersOf(ParkedReceived parked) {
    return memory.working().isInContext()
        ? in("read a parked message", connection -> table().lock(connection, consumer, parked))
            .map(Received::headers)
            .orElse(Map.of())
        : Map.of();
  }

  private boolean retry(
      Connection connection, ParkedReceived parked, List<InboxId> done, List<Declaration> others)
      throws Exception {
    Optional<Received> mine = take(connection, parked);
    if (mine.isEmpty()) {
      return false;
    }
    Received message = mine.get();
    if (!concern.isOwn(message)) {
      declarations.others(connection, List.of(message)).get(0).ifPresent(others::add);
      if (!others.isEmpty()) {
        return false;
      }
    }
    Set<InboxId> fresh = new HashSet<>();
    try {
      Optional<InboxProof> proof =
          database.inbox().insert(connection, consumer, Set.of(message.inboxId()));
      remember(connection, new Admission(proof, Set.of(), Set.of()), fresh);
    } catch (SQLException e) {
      throw WriteFailure.of(database.errors(), e, "remember a message of " + consumer);
    }
    if (!fresh.isEmpty()) {
      work.handle(connection, message, parked.attempts() + 1);
    }
    remove(connection, parked);
    done.addAll(fresh);
    return true;
  }

  private Optional<Received> take(Connection connection, ParkedReceived parked) {
    try {
      Optional<Received> mine = table().lock(connection, consumer, parked);
      if (mine.isEmpty() || parked.key() == null) {
        return mine;
      }
      lock(connection, List.of(new SpacedKey(parked.keySpace(), parked.key())));
      return table().isFirst(connection, consumer, parked) ? mine : Optional.empty();
    } catch (SQLException e) {
      throw WriteFailure.of(database.errors(), e, "lock a parked message of " + consumer);
    }
  }

  private void remove(Connection connection, ParkedReceived parked) {
    try {
      table().remove(connection, consumer, parked.number());
    } catch (SQLException e) {
      throw WriteFailure.of(database.errors(), e, "remove a parked message of " + consumer);
    }
  }

  @Override
  public void fail(ParkedReceived parked, ParkedFailure failure) {
    in(
        "change a parked message",
        connection -> {
          table().fail(connection, consumer, parked, failure);
          return true;
        });
  }

  @Override
  public List<ParkedReceived> carryOutRequests(int limit) {
    declarations.declare();
    return in(
        "carry out requests",
        connection -> {
          declarations.look(connection);
          List<ParkedReceived> discarded = table().toDiscard(connection, consumer, limit);
          for (ParkedReceived each : discarded) {
            // Remembered, or the broker could deliver it once more.
            database.inbox().insert(connection, consumer, Set.of(each.id()));
            table().remove(connection, consumer, each.number());
          }
          table().allowRetries(connection, consumer, limit);
          return discarded;
        });
  }

  private ReceivedTable table() {
    return database.received();
  }

  /** What is done in a transaction. */
  private interface Step<R> {
    R on(Connection connection) throws SQLException;
  }

  private <R> R in(String doing, Step<R> step) {
    return transactions.callHandling(
        connection -> {
          try {
            return step.on(connection);
          } catch (SQLException e) {
            throw WriteFailure.of(database.errors(), e, doing + " of consumer " + consumer);
          }
        });
  }
}
