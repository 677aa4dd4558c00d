// SPDX-License-Identifier: Apache-2.0
package io.outledger.flow;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.PublisherClient;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A relay's end of a flow: queues messages for the subscriber, and reports each outcome once. */
final class FlowClient implements PublisherClient {

  /** The outcome of a message that waits for an earlier one of its key. */
  static final Outcome BEHIND =
      Outcome.behind("not delivered: an earlier message of its key was rejected");

  private final MessageFlow flow;
  private final Outcomes outcomes;
  private final Set<Long> queued = new TreeSet<>();
  private final Set<Long> delivered = new TreeSet<>();
  private final FlowHolds holds = new FlowHolds();

  FlowClient(MessageFlow flow, Outcomes outcomes) {
    this.flow = flow;
    this.outcomes = outcomes;
  }

  @Override
  public void publish(long position, int attempt, Message message) {
    synchronized (this) {
      queued.add(position);
    }
    Outcome refusal = flow.enqueue(new FlowMessage(position, message, this));
    if (refusal != null) {
      settle(position, refusal);
    }
  }

  @Override
  public void flush() {
    // The subscriber's demand decides when a message is sent.
  }

  @Override
  public Set<Long> recall() {
    return Set.of();
  }

  @Override
  public void close() {
    flow.remove(this);
    giveBackAll("the relay closed the flow's publisher");
  }

  synchronized void deliver(long position) {
    queued.remove(position);
    delivered.add(position);
  }

  synchronized boolean hasDelivered() {
    return !delivered.isEmpty();
  }

  /** Under a lock, so that nothing is reported any more when a close has returned. */
  synchronized boolean settle(long position, Outcome outcome) {
    if (!queued.remove(position) && !delivered.remove(position)) {
      return false;
    }
    outcomes.report(position, outcome);
    return true;
  }

  /**
   * Rejects a message. What follows of its key is taken out of the queue before, so that a
   * subscriber that asks for more is not given it first: the relay holds it behind this one.
   */
  boolean reject(FlowMessage message, Outcome outcome) {
    if (!isDelivered(message.position())) {
      return false;
    }
    List<Long> behind = flow.takeBehind(message);
    boolean isFirst = settle(message.position(), outcome);
    behind.forEach(position -> settle(position, BEHIND));
    return isFirst;
  }

  /** Guarded by the flow's lock. */
  FlowHolds holds() {
    return holds;
  }

  private synchronized boolean isDelivered(long position) {
    return delivered.contains(position);
  }

  /** Gives everything back that has no outcome: the relay delivers it again. */
  void giveBackAll(String reason) {
    positions(delivered).forEach(position -> settle(position, Outcome.unavailable(reason)));
    giveBackQueued(reason);
  }

  /** Gives back what no subscriber has seen; what one has seen it may still acknowledge. */
  void giveBackQueued(String reason) {
    positions(queued).forEach(position -> settle(position, Outcome.unreachable(reason)));
  }

  private synchronized List<Long> positions(Set<Long> set) {
    return List.copyOf(set);
  }
}
