// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.Delivery;
import io.outledger.Message;
import io.outledger.Name;
import io.outledger.Outbox;
import io.outledger.Require;
import io.outledger.event.Events;
import io.outledger.time.TimeSource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An outbox for unit tests: it takes what an application appends, refuses what a real one would
 * refuse, and keeps the messages for the test to look at. Hand it to whatever takes an {@link
 * Outbox}. It knows no transactions; {@link InMemoryLedger} does. Thread-safe.
 *
 * <p>What is scheduled waits until the clock of this outbox has come to its time; then it is among
 * the messages, as if it had been appended. A test sets the clock:
 *
 * <pre>{@code
 * SettableClock clock = new SettableClock();
 * InMemoryOutbox outbox = new InMemoryOutbox(events, clock);
 * …
 * clock.advance(Duration.ofDays(3));
 * assertThat(outbox.events(PaymentReminder.class)).hasSize(1);
 * }</pre>
 */
public final class InMemoryOutbox implements Outbox {

  private final Events events;
  private final TimeSource time;
  private final WaitingMessages waiting;
  private final List<Appended> appended = new ArrayList<>();
  private final Map<Class<?>, Object> resources = new ConcurrentHashMap<>();

  /**
   * One append: what was given, and the messages made of it.
   *
   * @param given the event or message as it was appended, before enrichment and mapping
   * @param messages the messages that it became: one, unless a mapping made more, or none
   */
  public record Appended(Object given, List<Message> messages) {}

  /** Creates one that takes messages alone, with the default limits. */
  public InMemoryOutbox() {
    this(Events.builder().build());
  }

  /** Creates one that takes events too, as the application registers them. */
  public InMemoryOutbox(Events events) {
    this(events, TimeSource.system());
  }

  /**
   * Creates one with a clock, as a database has.
   *
   * @param events makes messages of events
   * @param time the clock by which scheduled messages are due, such as a {@link SettableClock}
   */
  public InMemoryOutbox(Events events, TimeSource time) {
    this(Require.nonNull("events", events), Require.nonNull("time", time), null);
  }

  private InMemoryOutbox(Events events, TimeSource time, @Nullable WaitingMessages outer) {
    this.events = events;
    this.time = time;
    this.waiting = new WaitingMessages(outer);
  }

  /**
   * Gives something to the guards, enrichments and mappings of event types, such as a {@code
   * java.sql.Connection} for those that read in the transaction.
   *
   * @param type the type under which they ask for it
   */
  public <T> InMemoryOutbox with(Class<T> type, T resource) {
    resources.put(Require.nonNull("type", type), Require.nonNull("resource", resource));
    return this;
  }

  /**
   * Returns the outbox of a transaction: it takes the same events, and nothing that it takes is in
   * this one before {@link #commit}.
   */
  public synchronized InMemoryOutbox begin() {
    moveDue(); // first: what is due is in the ledger, and a transaction cannot cancel it
    InMemoryOutbox transaction = new InMemoryOutbox(events, time, waiting);
    transaction.resources.putAll(resources);
    return transaction;
  }

  /**
   * Adds what the outbox of a transaction has taken, scheduled and cancelled.
   *
   * @param transaction made by {@link #begin()}; not to be used again
   */
  public void commit(InMemoryOutbox transaction) {
    List<Appended> taken = Require.nonNull("transaction", transaction).taken();
    synchronized (this) {
      waiting.cancelAllOf(transaction.waiting); // first: a database does not move what is locked
      moveDue();
      appended.addAll(taken);
      waiting.addAllOf(transaction.waiting);
    }
  }

  /** Returns what was appended in a transaction; what is due of it comes after the commit. */
  private synchronized List<Appended> taken() {
    return List.copyOf(appended);
  }

  @Override
  public List<UUID> append(Collection<?> eventsOrMessages) {
    List<Appended> made = new ArrayList<>();
    for (Object given : Require.nonNull("eventsOrMessages", eventsOrMessages)) {
      made.add(new Appended(given, events.messages(Collections.singleton(given), resources::get)));
    }
    synchronized (this) {
      moveDue();
      appended.addAll(made);
    }
    return messages(made).map(Message::id).toList();
  }

  @Override
  public UUID append(Object event, Delivery when) {
    Require.nonNull("event", event);
    Require.nonNull("when", when);
    Message message =
        Delivery.onlyOf(events.messages(Collections.singleton(event), resources::get));
    synchronized (this) {
      moveDue();
      waiting.add(
          new ScheduledMessage(event, message, when.due(time.now()), when.name().orElse(null)),
          when);
    }
    return message.id();
  }

  @Override
  public synchronized boolean cancel(UUID id) {
    Require.nonNull("id", id);
    moveDue();
    return waiting.cancel(each -> each.message().id().equals(id));
  }

  @Override
  public synchronized boolean cancel(String name) {
    Name.check("scheduled message", name);
    moveDue();
    return waiting.cancel(each -> name.equals(each.name()));
  }

  /** Returns the messages that wait, in the order in which they were scheduled. */
  public synchronized List<ScheduledMessage> scheduled() {
    moveDue();
    return List.copyOf(waiting.all());
  }

  /** Adds what is due by the clock, with the time of now. */
  private void moveDue() {
    Instant now = time.now();
    for (ScheduledMessage due : waiting.takeDue(now)) {
      Message message = due.message().copy().time(now.truncatedTo(ChronoUnit.MICROS)).build();
      appended.add(new Appended(due.given(), List.of(message)));
    }
  }

  private static Stream<Message> messages(List<Appended> appended) {
    return appended.stream().flatMap(each -> each.messages().stream());
  }

  /** Returns everything appended, and what was scheduled and has become due, in order. */
  public synchronized List<Appended> appended() {
    moveDue();
    return List.copyOf(appended);
  }

  /** Returns the messages as they would be published, in the order appended. */
  public List<Message> messages() {
    return messages(appended()).toList();
  }

  /** Returns the messages of a topic, in the order appended. */
  public List<Message> messages(String topic) {
    Require.nonNull("topic", topic);
    return messages().stream().filter(message -> message.topic().equals(topic)).toList();
  }

  /**
   * Returns the events of a class as they were appended, before enrichment and mapping, in order.
   */
  public <T> List<T> events(Class<T> type) {
    Require.nonNull("type", type);
    return appended().stream()
        .map(Appended::given)
        .filter(type::isInstance)
        .map(type::cast)
        .toList();
  }

  /** Forgets everything, also what waits. */
  public synchronized void clear() {
    appended.clear();
    waiting.clear();
  }
}
