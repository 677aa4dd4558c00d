// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.Name;
import io.outledger.Require;
import io.outledger.UnknownName;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Snapshot;
import io.outledger.inbox.InboxStore;
import io.outledger.store.CursorRow;
import io.outledger.store.Declaration;
import io.outledger.store.Declarations;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedMessage;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import io.outledger.time.TimeSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A small, faithful model of a ledger in a database with snapshots: numbers are drawn before the
 * commit, become visible with it, in any order, and are never drawn again.
 *
 * <p>A real relay runs over {@link #relayStore}. Deterministic for one thread; safe for more. Each
 * call takes effect at one moment, under one lock.
 */
public final class InMemoryLedger {

  private static final long FIRST_TRANSACTION_ID = 1_000;

  private final TimeSource time;
  private final DatabaseFaults faults = new DatabaseFaults();
  private final NavigableMap<Long, Message> visible = new TreeMap<>();
  private final RowMarks marks = new RowMarks();
  private final NavigableMap<Long, InMemoryTransaction> writing = new TreeMap<>();
  private final Map<String, InMemorySubscription> subscriptions = new HashMap<>();
  private final Map<String, DeclarationTable> declarations = new HashMap<>();
  private final Set<String> deleted = new HashSet<>();
  private final InboxTable inbox = new InboxTable(this);
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private long nextTransactionId = FIRST_TRANSACTION_ID;
  private long highestEnded = FIRST_TRANSACTION_ID - 1;
  private long lastPosition;
  private long purgedTo;

  /**
   * Creates an empty ledger.
   *
   * @param time the database's clock, which times leases and retries; a relay may have another
   */
  public InMemoryLedger(TimeSource time) {
    this.time = Require.nonNull("time", time);
  }

  /** Begins a transaction. It draws its id with its first write. */
  public InMemoryTransaction begin() {
    return new InMemoryTransaction(this);
  }

  /** Appends messages in a transaction of their own, commits it and returns their positions. */
  public List<Long> inNewTransaction(Message... messages) {
    try (InMemoryTransaction transaction = begin()) {
      List<Long> positions = transaction.append(messages);
      transaction.commit();
      return positions;
    }
  }

  /** Calls the listener after each commit of messages, as a wake-up in the same JVM does. */
  public void onCommit(Runnable listener) {
    listeners.add(Require.nonNull("listener", listener));
  }

  /**
   * Opens a relay's store for a subscription, which is made at the first look.
   *
   * @param subscription the subscription's name
   * @param start where it starts, if it is not there yet
   */
  public RelayStore relayStore(String subscription, Start start) {
    return new InMemoryRelayStore(
        this, Name.check("subscription", subscription), Require.nonNull("start", start));
  }

  /** Returns the store of the inboxes that live in this database. */
  public InboxStore<InMemoryTransaction> inboxStore() {
    return inbox;
  }

  /**
   * Returns a subscription to look at.
   *
   * @throws ConfigurationException {@code OUT-025} if there is none of this name yet
   */
  public synchronized InMemorySubscription subscription(String name) {
    InMemorySubscription subscription = subscriptions.get(name);
    if (subscription == null) {
      throw UnknownName.subscription(Require.nonNull("name", name), subscriptions.keySet());
    }
    return subscription;
  }

  /**
   * Deletes a subscription, as an operator would, with what is parked, paused and declared of it:
   * its relays stop with {@code OUT-025}, a former owner is fenced, and one of the same name that
   * is made later begins anew. What its handlers remember stays.
   *
   * @throws ConfigurationException {@code OUT-025} if there is none of this name, {@code OUT-028}
   *     if a relay has a lease on it
   */
  public synchronized void delete(String name) {
    CursorRow newest = subscription(name).newest();
    if (!newest.released() && !newest.lapsed()) {
      throw new ConfigurationException(
          ErrorCode.SUBSCRIPTION_RUNNING,
          "subscription \"" + name + "\" cannot be deleted: a relay has a lease on it");
    }
    declarations(name).endAll();
    subscriptions.remove(name);
    deleted.add(name);
  }

  /** Returns every visible message, in order of position. */
  public synchronized List<LedgerMessage> messages() {
    List<LedgerMessage> messages = new ArrayList<>();
    visible.forEach((position, message) -> messages.add(new LedgerMessage(position, message)));
    return messages;
  }

  /** Returns the highest number that was ever drawn; 0 where none was. */
  public synchronized long lastPosition() {
    return lastPosition;
  }

  /** Returns how many ids all inboxes remember, committed ones alone. */
  public synchronized int inboxSize() {
    return inbox.size();
  }

  /**
   * Makes the message at a position unreadable, as one is whose headers somebody has written by
   * hand.
   */
  public synchronized void makeUnreadable(long position) {
    marks.makeUnreadable(position);
  }

  /**
   * Erases payload and headers of a message, as an operator does: the row stays, its relays settle
   * it without publishing it, and what is parked of it is discarded by its owner.
   *
   * @throws IllegalStateException if no message is visible there
   */
  public synchronized void erase(long position) {
    Message message = visible.get(position);
    if (message == null) {
      throw new IllegalStateException("no message is visible at position " + position);
    }
    visible.put(position, RowMarks.emptied(message));
    marks.erase(position);
    subscriptions.values().forEach(each -> each.withdraw(position, message.id()));
  }

  /** Returns the visible messages of a range that were not erased, in order of position. */
  NavigableMap<Long, Message> toReplay(long first, long last) {
    NavigableMap<Long, Message> range = new TreeMap<>();
    if (first <= last) {
      range.putAll(visible.subMap(first, true, last, true));
    }
    range.keySet().removeIf(marks::isErased);
    return range;
  }

  /** Removes the messages up to a position, as retention does, whoever may still want them. */
  public synchronized void purge(long position) {
    visible.headMap(position, true).clear();
    purgedTo = Math.max(purgedTo, Math.min(position, lastPosition));
  }

  /**
   * Sets the number after which the next ones are drawn, as {@code setval} does, forwards or
   * backwards.
   */
  public synchronized void setLastPosition(long position) {
    lastPosition = position;
    purgedTo = Math.min(purgedTo, position);
  }

  /** Removes every message and starts the numbers again, as {@code TRUNCATE} can. */
  public synchronized void truncate() {
    visible.clear();
    marks.clear();
    lastPosition = 0;
    purgedTo = 0;
  }

  /** Returns all that is committed now, to go back to with {@link #restore}. */
  public synchronized LedgerBackup backup() {
    return new LedgerBackup(
        new TreeMap<>(visible),
        marks.copy(),
        copies(subscriptions),
        inbox.copy(),
        new LedgerNumbers(nextTransactionId, lastPosition, purgedTo));
  }

  /**
   * Goes back to a backup, as a restored server does, or a promoted standby that had not received
   * the rest: numbers and transaction ids are drawn again, open transactions are rolled back, and
   * another server answers. What is declared stays, since every instance declares it again.
   */
  public synchronized void restore(LedgerBackup backup) {
    Require.nonNull("backup", backup);
    List.copyOf(writing.values()).forEach(InMemoryTransaction::rollback);
    visible.clear();
    visible.putAll(backup.visible());
    marks.become(backup.marks());
    subscriptions.clear();
    subscriptions.putAll(copies(backup.subscriptions()));
    inbox.become(backup.inbox());
    nextTransactionId = backup.numbers().nextTransactionId();
    highestEnded = nextTransactionId - 1;
    lastPosition = backup.numbers().lastPosition();
    purgedTo = backup.numbers().purgedTo();
    faults.failOver();
  }

  /**
   * Ends what was declared of a subscription, as an operator would where its handler is gone for
   * good.
   */
  public synchronized void endDeclaration(String subscription, Declaration declared) {
    declarations(Require.nonNull("subscription", subscription))
        .end(Require.nonNull("declared", declared));
  }

  /** Returns what is declared of a subscription. */
  public synchronized Declarations declared(String subscription) {
    return declarations(Require.nonNull("subscription", subscription)).current();
  }

  DeclarationTable declarations(String subscription) {
    return declarations.computeIfAbsent(subscription, name -> new DeclarationTable());
  }

  private static Map<String, InMemorySubscription> copies(Map<String, InMemorySubscription> all) {
    Map<String, InMemorySubscription> copies = new HashMap<>();
    all.forEach((name, subscription) -> copies.put(name, subscription.copy()));
    return copies;
  }

  /** Returns the faults that can be caused. */
  public DatabaseFaults faults() {
    return faults;
  }

  /** Returns the id below which every transaction has ended. */
  public synchronized long horizon() {
    return snapshot().horizon();
  }

  Snapshot snapshot() {
    NavigableMap<Long, InMemoryTransaction> told = writing.headMap(highestEnded, false);
    return new Snapshot(highestEnded + 1, Set.copyOf(told.keySet()));
  }

  /**
   * Returns the subscription of a relay that has found it before.
   *
   * @throws ConfigurationException {@code OUT-025} if it was deleted since
   */
  InMemorySubscription stillThere(String name, Start start) {
    if (deleted.contains(name)) {
      throw new ConfigurationException(
          ErrorCode.UNKNOWN_SUBSCRIPTION,
          "subscription \"" + name + "\" was deleted while its relay was running");
    }
    return subscribe(name, start);
  }

  /** Returns a subscription; null where there is none of this name. */
  @Nullable InMemorySubscription find(String name) {
    return subscriptions.get(name);
  }

  InMemorySubscription subscribe(String name, Start start) {
    return subscriptions.computeIfAbsent(
        name,
        absent -> {
          deleted.remove(absent);
          drawTransactionId();
          return new InMemorySubscription(this, frontier(start));
        });
  }

  Frontier frontier(Start start) {
    return Starts.frontier(start, identity());
  }

  /** Whether the message of a parked row is still there, and not another one at its position. */
  boolean has(ParkedMessage parked) {
    Message there = visible.get(parked.position());
    return there != null && there.id().equals(parked.message().id());
  }

  PageReader read(PollRequest request) {
    return PageReader.read(request, visible, marks);
  }

  void checkPreconditions(long high) {
    faults.checkPreconditions();
    identity().checkNumbers(high);
  }

  LedgerIdentity identity() {
    return new LedgerIdentity(visible, lastPosition, purgedTo);
  }

  Instant now() {
    return time.now();
  }

  /** Draws the id of a transaction that ends at once. */
  long drawTransactionId() {
    highestEnded = nextTransactionId++;
    return highestEnded;
  }

  long drawPosition() {
    return ++lastPosition;
  }

  long beginWriting(InMemoryTransaction transaction) {
    long id = nextTransactionId++;
    writing.put(id, transaction);
    return id;
  }

  void endWriting(InMemoryTransaction transaction, boolean commit) {
    writing.remove(transaction.id());
    highestEnded = Math.max(highestEnded, transaction.id());
    inbox.end(transaction, commit);
    notifyAll();
  }

  void show(Map<Long, Message> messages) {
    visible.putAll(messages);
  }

  void tellOfCommit() {
    listeners.forEach(Runnable::run);
  }

  Set<Long> writers() {
    Set<Long> ids = new TreeSet<>();
    writing.forEach(
        (id, transaction) -> {
          if (transaction.writesLedger()) {
            ids.add(id);
          }
        });
    return ids;
  }

  String blockers() {
    return writing.isEmpty() ? "no open transaction" : "transaction " + writing.firstKey();
  }
}
