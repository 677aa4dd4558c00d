// SPDX-License-Identifier: Apache-2.0
package io.outledger.flow;

import io.outledger.Require;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * What a subscription publishes, as a {@link Flow.Publisher} with back-pressure. Give it to a relay
 * as its publisher, and subscribe to it; both may come first.
 *
 * <pre>{@code
 * var flow = new MessageFlow(executor);
 * outledger.relay("stream").to(flow).start();
 * flow.subscribe(subscriber); // calls message.acknowledge() when it has processed a message
 * }</pre>
 *
 * <p>A message is settled when the subscriber has acknowledged it, and not before: what was
 * requested and not acknowledged is delivered again after a crash, a lost lease, or to the next
 * subscriber. So delivery is at least once, and an inbox makes effects happen once. What was not
 * requested waits in the relay's window, which limits how far the relay reads ahead.
 *
 * <p>One subscriber at a time. Where another takes over, the relay delivers one message, as after
 * an outage, and the rest when that one is acknowledged. The flow never completes by itself: it
 * continues where the relay loses its lease and takes it again. Thread-safe.
 */
public final class MessageFlow implements Publisher, Flow.Publisher<FlowMessage>, AutoCloseable {

  private final Executor executor;
  private final KeyOrder keyOrder;
  private final Deque<FlowMessage> queue = new ArrayDeque<>();
  private final Set<FlowClient> clients = new LinkedHashSet<>();
  private @Nullable FlowSubscription current;
  private boolean closed;

  /**
   * Makes one in which many messages of a key may be under way, in order.
   *
   * @param executor calls the subscriber, one call at a time; it is not closed by this
   */
  public MessageFlow(Executor executor) {
    this(executor, KeyOrder.PIPELINED);
  }

  /**
   * Makes one.
   *
   * @param executor calls the subscriber, one call at a time; it is not closed by this
   * @param keyOrder with {@link KeyOrder#ONE_AT_A_TIME}, a message is delivered when its
   *     predecessor of the same key is acknowledged: for subscribers that process messages side by
   *     side. A subscriber that acknowledges in batches needs {@link KeyOrder#PIPELINED}
   */
  public MessageFlow(Executor executor, KeyOrder keyOrder) {
    this.executor = Require.nonNull("executor", executor);
    this.keyOrder = Require.nonNull("keyOrder", keyOrder);
  }

  @Override
  public KeyOrder keyOrder() {
    return keyOrder;
  }

  @Override
  public synchronized PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    if (closed) {
      throw new DestinationUnavailableException("the flow was closed", null);
    }
    FlowClient client = new FlowClient(this, outcomes);
    clients.add(client);
    return client;
  }

  /**
   * Subscribes. A second subscriber, while the first has not cancelled, is refused with {@link
   * IllegalStateException} by its {@code onError}; so is one of a closed flow. What the subscriber
   * before was handed and has not acknowledged is delivered again.
   *
   * @param subscriber the subscriber; where it throws, its subscription is cancelled
   * @throws NullPointerException if it is null, as the reactive streams specification asks
   */
  @Override
  public void subscribe(Flow.Subscriber<? super FlowMessage> subscriber) {
    if (subscriber == null) {
      throw new NullPointerException("subscriber");
    }
    FlowSubscription subscription = new FlowSubscription(this, subscriber, executor);
    List<FlowClient> left = List.of();
    synchronized (this) {
      if (closed) {
        subscription.fail(new IllegalStateException("the flow was closed"));
      } else if (current != null && !current.isCancelled()) {
        subscription.fail(
            new IllegalStateException("the flow already has a subscriber; cancel it first"));
      } else {
        current = subscription;
        left = clients.stream().filter(FlowClient::hasDelivered).toList();
        left.forEach(this::remove);
      }
    }
    left.forEach(client -> client.giveBackAll("another subscriber has taken over"));
    subscription.signal();
  }

  /**
   * Completes the subscriber, and refuses others. What was delivered may still be acknowledged
   * until the relay is closed, which is to follow; what was not delivered is delivered by the next
   * flow. Idempotent.
   */
  @Override
  public void close() {
    FlowSubscription subscription;
    List<FlowClient> open;
    synchronized (this) {
      closed = true;
      queue.clear();
      open = List.copyOf(clients);
      subscription = current;
    }
    open.forEach(client -> client.giveBackQueued("the flow was closed"));
    if (subscription != null) {
      subscription.complete();
    }
  }

  /**
   * Queues a message.
   *
   * @return null where it was queued; otherwise what to report. A client that was removed is not
   *     taken on again, so its relay must open another
   */
  @Nullable Outcome enqueue(FlowMessage message) {
    FlowSubscription subscription;
    synchronized (this) {
      if (closed) {
        return Outcome.unreachable("the flow was closed");
      }
      if (clients.stream().noneMatch(message::isFrom)) {
        return Outcome.unavailable("the flow's publisher was closed");
      }
      if (message.isBehindRejected()) {
        return FlowClient.BEHIND;
      }
      queue.add(message);
      subscription = current;
    }
    if (subscription != null) {
      subscription.signal();
    }
    return null;
  }

  /**
   * Takes out what follows a message that is about to be rejected and was not delivered yet. From
   * here on the client's holds keep back what the relay hands over before it has heard of it.
   */
  synchronized List<Long> takeBehind(FlowMessage rejected) {
    List<Long> taken = new ArrayList<>();
    queue.removeIf(
        message -> {
          boolean isBehind = message.isBehind(rejected);
          if (isBehind) {
            taken.add(message.position());
          }
          return isBehind;
        });
    rejected.hold(taken.isEmpty() ? rejected.position() : taken.get(taken.size() - 1));
    return taken;
  }

  synchronized void remove(FlowClient client) {
    clients.remove(client);
    queue.removeIf(message -> message.isFrom(client));
  }

  /** Returns the next message for a subscription; null where there is none, or it has ended. */
  synchronized @Nullable FlowMessage next(FlowSubscription subscription) {
    FlowMessage next = subscription.equals(current) ? queue.poll() : null;
    if (next != null) {
      next.deliver();
    }
    return next;
  }

  /**
   * Without an executor nobody can be told of anything: the relay tries again later. Its clients
   * are removed before anything is given back, so that no later message of a key, handed over
   * meanwhile, is delivered before an earlier one that was given back.
   */
  void cannotRun(String reason) {
    List<FlowClient> removed;
    synchronized (this) {
      removed = List.copyOf(clients);
      removed.forEach(this::remove);
    }
    removed.forEach(client -> client.giveBackQueued(reason));
  }
}
