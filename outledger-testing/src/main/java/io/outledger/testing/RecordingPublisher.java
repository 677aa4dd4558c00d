// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.Message;
import io.outledger.Require;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A destination that records what arrives, in order, and fails when a test wants it to. Without
 * instructions it acknowledges each message at once, on the thread that publishes. Thread-safe.
 */
public final class RecordingPublisher implements Publisher {

  /**
   * A message that has arrived.
   *
   * @param position the position it was handed over with
   * @param message the message
   * @param client which of the clients sent it; the first that was opened is 1
   */
  public record Arrival(long position, Message message, int client) {}

  private final KeyOrder keyOrder;
  private final Executor reporting;
  private final Behaviour behaviour = new Behaviour();
  private final List<Arrival> arrivals = new ArrayList<>();
  private final List<Arrival> afterClose = new ArrayList<>();
  private final List<Runnable> heldBack = new ArrayList<>();
  private boolean holding;
  private int opened;
  private int open;

  /** Creates one that takes many messages of a key at once and reports on the caller's thread. */
  public RecordingPublisher() {
    this(KeyOrder.PIPELINED, Runnable::run);
  }

  /**
   * Creates one.
   *
   * @param keyOrder what it says of itself
   * @param reporting where outcomes are reported, such as an executor with a thread of its own
   */
  public RecordingPublisher(KeyOrder keyOrder, Executor reporting) {
    this.keyOrder = Require.nonNull("keyOrder", keyOrder);
    this.reporting = Require.nonNull("reporting", reporting);
  }

  @Override
  public KeyOrder keyOrder() {
    return keyOrder;
  }

  @Override
  public synchronized PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    if (behaviour.refusesOpening()) {
      throw new DestinationUnavailableException("the test refuses to open a client", null);
    }
    opened++;
    open++;
    return new RecordingClient(this, opened, outcomes);
  }

  /**
   * Rejects the next messages, whichever they are.
   *
   * @param messages how many; 0 for none
   * @throws IllegalArgumentException if it is negative
   */
  public synchronized void rejectNext(int messages, Outcome.Rejected outcome) {
    behaviour.rejectNext(messages, outcome);
  }

  /** Rejects messages that meet a condition, until {@link #acceptAll()}. */
  public synchronized void rejectWhen(Predicate<Message> condition, Outcome.Rejected outcome) {
    behaviour.meetWhen(condition, outcome);
  }

  /**
   * Loses the connection at messages that meet a condition, each time, until {@link #acceptAll()}.
   */
  public synchronized void failWhen(Predicate<Message> condition) {
    behaviour.meetWhen(
        condition, Outcome.unavailable("the connection broke, as the test requested"));
  }

  /** Ends all rejections, and what {@link #failWhen} has asked for. */
  public synchronized void acceptAll() {
    behaviour.acceptAll();
  }

  /** Makes the destination unreachable for open clients, until {@link #comeBack()}. */
  public synchronized void goDown() {
    behaviour.goDown(false);
  }

  /**
   * Makes the destination unreachable, for open clients and new ones, until {@link #comeBack()}.
   */
  public synchronized void goDownAndRefuseClients() {
    behaviour.goDown(true);
  }

  /**
   * Makes the destination unreachable for the next messages.
   *
   * @param messages how many attempts fail; 0 for none
   * @throws IllegalArgumentException if it is negative
   */
  public synchronized void failNext(int messages) {
    behaviour.failNext(messages);
  }

  /** Makes the destination reachable again. */
  public synchronized void comeBack() {
    behaviour.comeBack();
  }

  /**
   * Lets each of the next messages arrive twice, as after an acknowledgement that was lost. It is
   * acknowledged once.
   *
   * @param messages how many; 0 for none
   * @throws IllegalArgumentException if it is negative
   */
  public synchronized void duplicateNext(int messages) {
    behaviour.duplicateNext(messages);
  }

  /**
   * Lets the next messages arrive in reverse order, as a broker without an order delivers them.
   * They arrive when as many have been handed over, or at the client's flush, whichever is first; a
   * relay flushes after each page that it has handed over. What waits already arrives before the
   * next message if fewer are to be reversed now.
   *
   * @param messages how many; 0 for none
   * @throws IllegalArgumentException if it is negative
   */
  public synchronized void reverseNext(int messages) {
    behaviour.reverseNext(messages);
  }

  /** Lets messages arrive, but holds their outcomes back until {@link #releaseOutcomes()}. */
  public synchronized void holdOutcomes() {
    holding = true;
  }

  /** Reports the outcomes held back, in order, and holds no more of them back. */
  public void releaseOutcomes() {
    List<Runnable> released;
    synchronized (this) {
      holding = false;
      released = List.copyOf(heldBack);
      heldBack.clear();
    }
    released.forEach(reporting::execute);
  }

  /** Reports the oldest outcome held back, if there is one, and continues holding. */
  public void releaseOne() {
    Optional<Runnable> released;
    synchronized (this) {
      released = heldBack.isEmpty() ? Optional.empty() : Optional.of(heldBack.remove(0));
    }
    released.ifPresent(reporting::execute);
  }

  /** Returns the arrivals in order, including duplicates. */
  public synchronized List<Arrival> arrivals() {
    return List.copyOf(arrivals);
  }

  /** Returns the messages that have arrived, in order, duplicates among them. */
  public List<Message> messages() {
    return each(Arrival::message);
  }

  /** Returns the positions of what has arrived, in order, duplicates among them. */
  public List<Long> positions() {
    return each(Arrival::position);
  }

  /** Returns the messages of a key that have arrived, in order, duplicates among them. */
  public List<Message> messages(String key) {
    return messages().stream().filter(message -> key.equals(message.key())).toList();
  }

  private synchronized <T> List<T> each(Function<Arrival, T> part) {
    return arrivals.stream().map(part).toList();
  }

  /** Returns the messages that clients were given after they had been closed; none has arrived. */
  public synchronized List<Arrival> handedOverAfterClose() {
    return List.copyOf(afterClose);
  }

  /** Returns how many clients are open; 0 at the end of a test that leaks none. */
  public synchronized int openClients() {
    return open;
  }

  /** Returns how many clients were ever opened. */
  public synchronized int clientsOpened() {
    return opened;
  }

  /** Forgets what has arrived. */
  public synchronized void clear() {
    arrivals.clear();
    afterClose.clear();
  }

  synchronized Outcome arrive(Arrival arrival) {
    Outcome outcome = behaviour.meet(arrival.message());
    if (outcome instanceof Outcome.Published) {
      for (int copy = behaviour.copies(); copy > 0; copy--) {
        arrivals.add(arrival);
      }
    }
    return outcome;
  }

  synchronized Behaviour.Turn takeTurn() {
    return behaviour.takeTurn();
  }

  synchronized void handedOverAfterClose(Arrival arrival) {
    afterClose.add(arrival);
  }

  /** Only a destination that can be reached has an acknowledgement to hold back. */
  void report(Outcome outcome, Runnable report) {
    synchronized (this) {
      if (holding && !(outcome instanceof Outcome.Unavailable)) {
        heldBack.add(report);
        return;
      }
    }
    reporting.execute(report);
  }

  synchronized void closed() {
    open--;
  }
}
