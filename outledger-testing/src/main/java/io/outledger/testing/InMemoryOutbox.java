// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.Message;
import io.outledger.Outbox;
import io.outledger.Require;
import io.outledger.event.Events;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * An outbox for unit tests: it takes what an application appends, refuses what a real one would
 * refuse, and keeps the messages for the test to look at. Hand it to whatever takes an {@link
 * Outbox}. It knows no transactions; {@link InMemoryLedger} does. Thread-safe.
 */
public final class InMemoryOutbox implements Outbox {

  private final Events events;
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
    this.events = Require.nonNull("events", events);
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
  public InMemoryOutbox begin() {
    InMemoryOutbox transaction = new InMemoryOutbox(events);
    transaction.resources.putAll(resources);
    return transaction;
  }

  /**
   * Adds what the outbox of a transaction has taken.
   *
   * @param transaction made by {@link #begin()}; not to be used again
   */
  public void commit(InMemoryOutbox transaction) {
    List<Appended> taken = Require.nonNull("transaction", transaction).appended();
    synchronized (this) {
      appended.addAll(taken);
    }
  }

  @Override
  public List<UUID> append(Collection<?> eventsOrMessages) {
    List<Appended> made = new ArrayList<>();
    for (Object given : Require.nonNull("eventsOrMessages", eventsOrMessages)) {
      made.add(new Appended(given, events.messages(Collections.singleton(given), resources::get)));
    }
    synchronized (this) {
      appended.addAll(made);
    }
    return messages(made).map(Message::id).toList();
  }

  private static Stream<Message> messages(List<Appended> appended) {
    return appended.stream().flatMap(each -> each.messages().stream());
  }

  /** Returns everything appended, in order. */
  public synchronized List<Appended> appended() {
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

  /** Forgets everything. */
  public synchronized void clear() {
    appended.clear();
  }
}
