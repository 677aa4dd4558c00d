// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.ErrorCode;
import io.outledger.Name;
import io.outledger.Require;
import io.outledger.StoreException;
import io.outledger.inbox.InboxId;
import io.outledger.inbox.InboxRetention;
import io.outledger.inbox.Received;
import io.outledger.receive.ParkedReceived;
import io.outledger.receive.ParkingHandler;
import io.outledger.receive.ReceiverStore;
import io.outledger.store.ParkedFailure;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * A consumer's database in memory, for tests of receivers: what took effect, once, and what is
 * parked. One transaction runs at a time, so its work must not wait for another one. Thread-safe.
 */
public final class InMemoryReceiverStore implements ReceiverStore {

  /** A consumer's work on one message. */
  @FunctionalInterface
  public interface Work {

    /**
     * Does it.
     *
     * @param attempt the number of the attempt, from 1
     * @throws Exception to roll the transaction back: nothing of it takes effect
     */
    void handle(Received message, int attempt) throws Exception;
  }

  private static final Duration FOREVER = Duration.ofDays(100 * 365);

  private final String consumer;
  private final TimeSource time;
  private final Work work;
  private final Set<InboxId> remembered = ConcurrentHashMap.newKeySet();
  private final List<Received> handled = new CopyOnWriteArrayList<>();
  private final NavigableMap<Long, ParkedReceivedRow> rows = new ConcurrentSkipListMap<>();
  private volatile boolean isAway;
  private volatile InboxRetention retention = new InboxRetention(FOREVER);
  private long lastNumber;

  /**
   * Makes an empty one.
   *
   * @param consumer the consumer's name
   * @param time what retries are timed by
   * @param work what is done with each message
   * @throws io.outledger.ConfigurationException {@code OUT-006} if the name is not valid
   */
  public InMemoryReceiverStore(String consumer, TimeSource time, Work work) {
    this.consumer = Name.check("consumer", consumer);
    this.time = Require.nonNull("time", time);
    this.work = Require.nonNull("work", work);
  }

  /** Returns a handler that has messages take effect in this store, for a receiver. */
  public ParkingHandler handler() {
    return new ParkingHandler() {
      @Override
      public ReceiverStore store() {
        return InMemoryReceiverStore.this;
      }

      @Override
      public void handle(List<Received> batch) throws Exception {
        process(batch, Integer.MAX_VALUE);
      }
    };
  }

  /** Returns the messages that took effect, in order; a copy. */
  public List<Received> handled() {
    return List.copyOf(handled);
  }

  /** Returns what is parked, in the order of its numbers; a copy. */
  public List<ParkedReceivedRow> parked() {
    return List.copyOf(rows.values());
  }

  /**
   * Requests that a dead or retrying message be tried again, as an operator does.
   *
   * @throws IllegalStateException if none is parked with this number, or it is held
   */
  public void requestRetry(long number) {
    request(number, ParkedReceivedRow.Request.RETRY);
  }

  /**
   * Requests that a dead or retrying message be discarded, as an operator does.
   *
   * @throws IllegalStateException if none is parked with this number, or it is held
   */
  public void requestDiscard(long number) {
    request(number, ParkedReceivedRow.Request.DISCARD);
  }

  /**
   * Makes it say that it remembers for some time; it does so for good.
   *
   * @param value the default is 100 years
   */
  public void retention(InboxRetention value) {
    retention = Require.nonNull("retention", value);
  }

  /** Makes every transaction fail with {@code OUT-016} from now on. */
  public void takeAway() {
    isAway = true;
  }

  /** Ends what {@link #takeAway} began. */
  public void bringBack() {
    isAway = false;
  }

  @Override
  public String consumer() {
    return consumer;
  }

  @Override
  public InboxRetention retention() {
    return retention;
  }

  @Override
  public synchronized Set<InboxId> known(List<Received> batch) {
    begin();
    return batch.stream().map(Received::inboxId).filter(this::isKnown).collect(Collectors.toSet());
  }

  @Override
  public synchronized Processed process(List<Received> batch, int parkedMax) throws Exception {
    begin();
    Map<InboxId, Received> fresh = new LinkedHashMap<>();
    batch.stream()
        .filter(message -> !isKnown(message.inboxId()))
        .forEach(message -> fresh.putIfAbsent(message.inboxId(), message));
    List<Received> held = fresh.values().stream().filter(this::isBlocked).toList();
    checkRoom(held.size(), parkedMax);
    held.forEach(message -> fresh.remove(message.inboxId()));
    List<Received> free = List.copyOf(fresh.values());
    for (Received message : free) {
      work.handle(message, 1);
    }
    held.forEach(message -> add(message, ParkedFailure.HELD));
    remembered.addAll(fresh.keySet());
    handled.addAll(free);
    return new Processed(free, held);
  }

  @Override
  public synchronized boolean park(Received message, ParkedFailure failure, int parkedMax) {
    begin();
    if (isKnown(message.inboxId())) {
      return false;
    }
    checkRoom(1, parkedMax);
    add(message, failure);
    return true;
  }

  @Override
  public synchronized List<ParkedReceived> due(int limit) {
    begin();
    return rows.values().stream()
        .filter(row -> row.isDue(time.nanoTime()) && isFirst(row))
        .sorted(Comparator.comparingLong(row -> row.dueAt() - time.nanoTime()))
        .limit(limit)
        .map(ParkedReceivedRow::light)
        .toList();
  }

  @Override
  public synchronized boolean retry(ParkedReceived parked) throws Exception {
    begin();
    ParkedReceivedRow row = rows.get(parked.number());
    if (row == null
        || row.attempts() != parked.attempts()
        || !row.isDue(time.nanoTime())
        || !isFirst(row)) {
      return false;
    }
    Received message = row.message();
    if (!remembered.contains(message.inboxId())) {
      work.handle(message, parked.attempts() + 1);
      remembered.add(message.inboxId());
      handled.add(message);
    }
    rows.remove(parked.number());
    return true;
  }

  @Override
  public synchronized Optional<ParkedReceived> next(ParkedReceived removed) {
    begin();
    return rows.tailMap(removed.number(), false).values().stream()
        .filter(row -> row.blocks() && !row.isDead())
        .filter(row -> row.isOfKey(removed.key(), removed.keySpace()))
        .findFirst()
        .map(ParkedReceivedRow::light);
  }

  @Override
  public synchronized void fail(ParkedReceived parked, ParkedFailure failure) {
    begin();
    rows.computeIfPresent(
        parked.number(),
        (number, row) ->
            row.isDead() || row.attempts() != parked.attempts()
                ? row
                : row.failed(failure, time.nanoTime()));
  }

  @Override
  public synchronized List<ParkedReceived> carryOutRequests(int limit) {
    begin();
    List<ParkedReceived> discarded = new ArrayList<>();
    for (ParkedReceivedRow row : asked(ParkedReceivedRow.Request.DISCARD, limit)) {
      remembered.add(row.message().inboxId()); // or the broker could deliver it once more
      rows.remove(row.number());
      discarded.add(row.light());
    }
    for (ParkedReceivedRow row : asked(ParkedReceivedRow.Request.RETRY, limit)) {
      rows.put(row.number(), row.allowed(time.nanoTime()));
    }
    return discarded;
  }

  private List<ParkedReceivedRow> asked(ParkedReceivedRow.Request request, int limit) {
    return rows.values().stream().filter(row -> row.request() == request).limit(limit).toList();
  }

  private synchronized void request(long number, ParkedReceivedRow.Request request) {
    ParkedReceivedRow row = rows.get(number);
    if (row == null || row.isHeld()) {
      throw new IllegalStateException("no dead or retrying message is parked as " + number);
    }
    rows.put(number, row.requested(request));
  }

  private void begin() {
    if (isAway) {
      throw new StoreException(ErrorCode.STORE_UNAVAILABLE, "the database was taken away");
    }
  }

  private boolean isKnown(InboxId id) {
    return remembered.contains(id)
        || rows.values().stream().anyMatch(row -> row.message().inboxId().equals(id));
  }

  private boolean isBlocked(Received message) {
    return rows.values().stream().anyMatch(row -> row.blocks() && isOfKey(row, message));
  }

  private boolean isFirst(ParkedReceivedRow row) {
    return rows.headMap(row.number(), false).values().stream()
        .noneMatch(before -> before.blocks() && isOfKey(before, row.message()));
  }

  private static boolean isOfKey(ParkedReceivedRow row, Received message) {
    return row.isOfKey(message.key(), message.keySpace());
  }

  private void checkRoom(int more, int parkedMax) {
    if (more > 0 && rows.size() + more > parkedMax) {
      throw new StoreException(
          ErrorCode.TOO_MANY_PARKED, "no more than " + parkedMax + " messages may be parked");
    }
  }

  private void add(Received message, ParkedFailure failure) {
    rows.put(++lastNumber, ParkedReceivedRow.of(lastNumber, message, failure, time.nanoTime()));
  }
}
