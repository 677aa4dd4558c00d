// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import io.outledger.Message;
import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.PublisherClient;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;

/**
 * A connection for as long as nothing goes wrong with it. The first failure that leaves a message's
 * fate unknown ends it: were it to continue, later messages of the key would overtake the one that
 * is sent again. What concerns one address ends that address's link alone.
 *
 * <p>Messages are written by the relay's thread and sent by the connection's.
 */
final class AmqpClient implements PublisherClient {

  private static final int LOOKS_PER_DELIVERY = 16;
  private static final int LINKS_MAX = 100;
  private static final String CLOSED = "the AMQP client was closed before the broker answered";

  private final AmqpPublisher.Choices choices;
  private final Outcomes outcomes;
  private final AmqpBinding binding;
  private final TimeSource time = TimeSource.system();
  private final long limitNanos;
  private final Queue<Handed> handed = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isTaking = new AtomicBoolean();
  private final Map<Long, Handed> unanswered = new ConcurrentHashMap<>();
  private final Map<String, AmqpTarget> targets =
      new LinkedHashMap<>(); // the connection's thread's own
  private final AmqpConnection connection;

  /** Why this has ended; null while it has not. */
  private volatile @Nullable String ended;

  /**
   * A message on its way.
   *
   * @param encoded all its bytes, and then those that are not sent yet
   */
  record Handed(long position, String address, ProtonBuffer encoded, int bytes, long handedAt) {}

  private AmqpClient(
      AmqpBroker broker,
      AmqpPublisher.Choices choices,
      Duration deliveryTimeMax,
      Outcomes outcomes) {
    this.choices = choices;
    this.outcomes = outcomes;
    this.binding = new AmqpBinding(choices);
    // Two looks before the end of its time: one may come late, and the end itself takes a little.
    this.limitNanos =
        deliveryTimeMax.multipliedBy(LOOKS_PER_DELIVERY - 2).toNanos() / LOOKS_PER_DELIVERY;
    this.connection =
        AmqpConnection.open(broker, "outledger publisher", deliveryTimeMax, this::connectionEnded);
  }

  static AmqpClient open(
      AmqpBroker broker,
      AmqpPublisher.Choices choices,
      Duration deliveryTimeMax,
      Outcomes outcomes) {
    AmqpClient client = new AmqpClient(broker, choices, deliveryTimeMax, outcomes);
    client.connection.repeat(deliveryTimeMax.dividedBy(LOOKS_PER_DELIVERY), client::look);
    return client;
  }

  @Override
  public void publish(long position, int attempt, Message message) {
    Handed written;
    try {
      String address = Require.nonNull("address", choices.naming().apply(message.topic()));
      ProtonBuffer encoded = binding.write(position, address, message);
      written = new Handed(position, address, encoded, encoded.getReadableBytes(), time.nanoTime());
    } catch (RuntimeException e) { // also of the user's functions
      report(position, Outcome.refused(Printable.text(e)));
      return;
    }
    unanswered.put(position, written);
    handed.add(written);
    // After it was remembered, since whoever ended this in between may have looked before.
    String reason = ended;
    if (reason != null) {
      answer(position, Outcome.unavailable(reason));
    } else if (isTaking.compareAndSet(false, true)) {
      connection.execute(this::takeHanded);
    }
  }

  private void takeHanded() {
    isTaking.set(false);
    Set<AmqpTarget> touched = new HashSet<>();
    Handed next = handed.poll();
    while (next != null && ended == null) {
      AmqpTarget target = target(next.address());
      target.send(next);
      touched.add(target);
      next = handed.poll();
    }
    touched.forEach(AmqpTarget::sendWaiting);
  }

  /** Sends what waits, if it still does, over another link than the one that was ended. */
  void sendAgain(Handed message) {
    if (!unanswered.containsKey(message.position())) {
      return;
    }
    AmqpTarget target = target(message.address());
    target.send(message);
    target.sendWaiting();
  }

  private AmqpTarget target(String address) {
    AmqpTarget known = targets.get(address);
    if (known == null) {
      if (targets.size() >= LINKS_MAX) {
        closeIdle();
      }
      known = AmqpTarget.open(address, choices.capability(), connection.session(), this);
      targets.put(address, known);
    }
    return known;
  }

  private void closeIdle() {
    List<AmqpTarget> idle = targets.values().stream().filter(AmqpTarget::isIdle).toList();
    targets.values().removeAll(idle);
    idle.forEach(AmqpTarget::close);
  }

  void forget(String address, AmqpTarget target) {
    targets.remove(address, target);
  }

  /** A link was ended with messages on their way, whose fate is unknown. */
  void linkLost(String address, @Nullable ErrorCondition error) {
    connection.end("the AMQP broker ended the link to address '" + address + "'", error);
  }

  private void connectionEnded(String reason, @Nullable ErrorCondition error) {
    if (unanswered.size() == 1 && AmqpOutcomes.isOfMessage(error)) {
      unanswered.keySet().forEach(position -> answer(position, Outcome.suspect(reason)));
    }
    end(reason);
  }

  /** Once it is set, whoever publishes sees it, or is seen here. */
  private void end(String reason) {
    synchronized (this) {
      if (ended == null) {
        ended = reason;
      }
    }
    Outcome outcome = Outcome.unavailable(String.valueOf(ended));
    unanswered.keySet().forEach(position -> answer(position, outcome));
  }

  /** Reports an outcome, unless one was reported. Once {@link #close} has returned, nothing is. */
  synchronized void answer(long position, Outcome outcome) {
    if (unanswered.remove(position) != null) {
      outcomes.report(position, outcome);
    }
  }

  private synchronized void report(long position, Outcome outcome) {
    outcomes.report(position, outcome);
  }

  /**
   * Gives up what is not settled in time: whether its address is silent, or all, the relay sees.
   */
  private void look() {
    long now = time.nanoTime();
    Set<String> silent = new HashSet<>();
    for (Handed each : unanswered.values()) {
      long age = now - each.handedAt();
      if (age >= limitNanos) {
        silent.add(each.address());
        answer(each.position(), AmqpOutcomes.unanswered(each.address(), age / 1_000_000));
      }
    }
    silent.forEach(this::giveUp);
  }

  /** Closes the link: what is given up must not be sent. What follows it must not get through. */
  private void giveUp(String address) {
    AmqpTarget target = targets.remove(address);
    if (target != null) {
      target.close();
    }
    if (unanswered.values().stream().anyMatch(each -> each.address().equals(address))) {
      connection.end("AMQP address '" + address + "' has not settled messages in time", null);
    }
  }

  /** The connection's thread takes what is there. */
  @Override
  public void flush() {}

  @Override
  public Set<Long> recall() {
    return Set.of();
  }

  @Override
  public void close() {
    boolean isIdle = ended == null && unanswered.isEmpty();
    end(CLOSED);
    if (isIdle) {
      connection.close();
    } else {
      connection.sever();
    }
  }
}
