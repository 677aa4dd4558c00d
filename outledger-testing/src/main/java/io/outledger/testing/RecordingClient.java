// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.PublisherClient;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A client of a recording publisher: each message gets one outcome, whoever reports it first. */
final class RecordingClient implements PublisherClient {

  private final RecordingPublisher publisher;
  private final int number;
  private final Outcomes outcomes;
  private final Set<Long> outstanding = new TreeSet<>();
  private final Deque<RecordingPublisher.Arrival> waiting = new ArrayDeque<>();
  private boolean closed;

  RecordingClient(RecordingPublisher publisher, int number, Outcomes outcomes) {
    this.publisher = publisher;
    this.number = number;
    this.outcomes = outcomes;
  }

  @Override
  public void publish(long position, int attempt, Message message) {
    RecordingPublisher.Arrival arrival = new RecordingPublisher.Arrival(position, message, number);
    if (queue(arrival)) {
      flush();
    }
  }

  /** Puts it where its turn is, and returns whether what waits is to arrive now. */
  private synchronized boolean queue(RecordingPublisher.Arrival arrival) {
    Behaviour.Turn turn = closed ? Behaviour.Turn.AT_ONCE : publisher.takeTurn();
    if (turn == Behaviour.Turn.AT_ONCE) {
      waiting.addLast(arrival);
    } else {
      waiting.addFirst(arrival);
    }
    outstanding.add(arrival.position());
    return turn != Behaviour.Turn.WAITS;
  }

  private void arrive(RecordingPublisher.Arrival arrival) {
    long position = arrival.position();
    Outcome outcome;
    synchronized (this) {
      if (closed) {
        publisher.handedOverAfterClose(arrival);
        outcome = Outcome.unavailable("the client is closed");
      } else {
        outcome = publisher.arrive(arrival);
      }
    }
    publisher.report(outcome, () -> settle(position, outcome));
  }

  @Override
  public void flush() {
    List<RecordingPublisher.Arrival> reversed;
    synchronized (this) {
      reversed = List.copyOf(waiting);
      waiting.clear();
    }
    reversed.forEach(this::arrive);
  }

  @Override
  public Set<Long> recall() {
    return Set.of();
  }

  @Override
  public void close() {
    List<Long> unknown;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      waiting.clear();
      unknown = List.copyOf(outstanding);
    }
    publisher.closed();
    unknown.forEach(
        position ->
            settle(position, Outcome.unavailable("the client was closed; outcome unknown")));
  }

  /** Under the lock, so that nothing is reported any more when a close has returned. */
  private synchronized void settle(long position, Outcome outcome) {
    if (outstanding.remove(position)) {
      outcomes.report(position, outcome);
    }
  }
}
