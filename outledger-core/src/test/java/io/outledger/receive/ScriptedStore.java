// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.inbox.InboxId;
import io.outledger.inbox.InboxRetention;
import io.outledger.inbox.Received;
import io.outledger.store.ParkedFailure;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** A consumer's database that is down, full or refuses the work when a test wants it to. */
final class ScriptedStore implements ReceiverStore, ParkingHandler {

  private final List<ParkedReceived> due = new ArrayList<>();

  /** Whether each call fails because there is no connection. */
  boolean isDown;

  /** Whether there is no room to park anything. */
  boolean isFull;

  /** What the work throws; nothing if it is empty. */
  Optional<RuntimeException> work = Optional.empty();

  /** The ids of messages whose work fails. */
  final Set<String> failing = new HashSet<>();

  /** The ids of messages whose work meets an outage. */
  final Set<String> away = new HashSet<>();

  /** The ids of messages whose work has met an outage, in order. */
  final List<String> met = new ArrayList<>();

  /** The ids of messages that have taken effect, in order. */
  final List<String> handled = new ArrayList<>();

  /** What its inbox remembers, where a test wants it to remember at all. */
  Optional<Set<InboxId>> inbox = Optional.empty();

  /** How many messages each transaction had. */
  final List<Integer> transactions = new ArrayList<>();

  /** The ids of messages that were parked. */
  final List<String> parked = new ArrayList<>();

  /** What was parked, and how. */
  final List<Integer> rooms = new CopyOnWriteArrayList<>();

  final List<Row> rows = new ArrayList<>();

  /** What became of those that were tried again, in order. */
  final List<ParkedFailure> failed = new ArrayList<>();

  /** A message that was parked. */
  record Row(Received message, ParkedFailure failure) {}

  /** What the work does before. */
  Runnable before = () -> {};

  /** The thread that asks what is due, once it has done so. */
  final CompletableFuture<Thread> retrying = new CompletableFuture<>();

  static StoreException down() {
    return new StoreException(ErrorCode.STORE_UNAVAILABLE, "connection refused");
  }

  void isDue(ParkedReceived parked) {
    due.add(parked);
  }

  private void work() {
    ask();
    before.run();
    if (work.isPresent()) {
      throw work.get();
    }
  }

  private void ask() {
    if (isDown) {
      throw down();
    }
  }

  @Override
  public ReceiverStore store() {
    return this;
  }

  @Override
  public void handle(List<Received> batch) {
    work();
  }

  @Override
  public String consumer() {
    return "stock";
  }

  @Override
  public InboxRetention retention() {
    return InboxRetention.DEFAULT;
  }

  @Override
  public Set<InboxId> known(List<Received> batch) {
    ask();
    return batch.stream()
        .map(Received::inboxId)
        .filter(id -> inbox.map(known -> known.contains(id)).orElse(false))
        .collect(Collectors.toSet());
  }

  @Override
  public Processed process(List<Received> batch, int parkedMax) {
    transactions.add(batch.size());
    Set<InboxId> known = known(batch);
    List<Received> fresh =
        batch.stream().filter(message -> !known.contains(message.inboxId())).toList();
    work();
    for (Received message : fresh) {
      if (away.contains(message.id())) {
        met.add(message.id());
        throw down();
      }
    }
    if (fresh.stream().anyMatch(message -> failing.contains(message.id()))) {
      throw new IllegalStateException("fails on purpose");
    }
    fresh.forEach(message -> handled.add(message.id()));
    remember(fresh);
    return new Processed(fresh, List.of());
  }

  private void remember(List<Received> messages) {
    inbox.ifPresent(known -> messages.forEach(message -> known.add(message.inboxId())));
  }

  @Override
  public boolean park(Received message, ParkedFailure failure, int parkedMax) {
    ask();
    if (isFull) {
      throw new StoreException(ErrorCode.TOO_MANY_PARKED, "no room");
    }
    parked.add(message.id());
    remember(List.of(message));
    rows.add(new Row(message, failure));
    rooms.add(parkedMax);
    return true;
  }

  @Override
  public List<ParkedReceived> due(int limit) {
    retrying.complete(Thread.currentThread());
    ask();
    return List.copyOf(due);
  }

  @Override
  public boolean retry(ParkedReceived parked) {
    work();
    due.remove(parked);
    return true;
  }

  @Override
  public Optional<ParkedReceived> next(ParkedReceived removed) {
    return Optional.empty();
  }

  @Override
  public void fail(ParkedReceived parked, ParkedFailure failure) {
    ask();
    failed.add(failure);
  }

  @Override
  public List<ParkedReceived> carryOutRequests(int limit) {
    ask();
    return List.of();
  }
}
