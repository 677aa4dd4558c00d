// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.Message;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A relay reduced to what it asks of a publisher's client, for an implementer's own tests too.
 * Positions count from 1. For one thread, except for {@link #close}.
 */
public final class Sender implements AutoCloseable {

  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final int ON_THEIR_WAY_MAX = 50;
  private static final int CONNECT_ATTEMPTS = 20;

  private final PublisherClient client;
  private final OutcomeBook book = new OutcomeBook();
  private final boolean oneAtATime;
  private final Duration silence;
  private final Map<String, Long> lastOfKey = new HashMap<>();
  private final List<Long> positions = new ArrayList<>();

  /**
   * Opens a client.
   *
   * @param publisher what is tested
   * @param deliveryTimeMax what the client is told
   */
  public Sender(Publisher publisher, Duration deliveryTimeMax) {
    oneAtATime = publisher.keyOrder() == KeyOrder.ONE_AT_A_TIME;
    silence = deliveryTimeMax.plus(GRACE);
    client = publisher.open(deliveryTimeMax, book);
  }

  /**
   * Hands a message over, after its predecessor's outcome where the publisher asks for it.
   *
   * @return its position
   */
  public long send(Message message) {
    long position = positions.size() + 1L;
    String key = message.key();
    if (oneAtATime && key != null) {
      Long before = lastOfKey.put(key, position);
      if (before != null) {
        client.flush();
        book.await(List.of(before), silence);
      }
    }
    positions.add(position);
    client.publish(position, 1, message);
    return position;
  }

  /** Hands messages over and returns their outcomes, each of which is the only one. */
  public List<Outcome> sendAll(List<Message> messages) {
    List<Long> sent = messages.stream().map(this::send).toList();
    client.flush();
    book.await(sent, silence);
    return sent.stream().map(this::only).toList();
  }

  /**
   * Hands a message over as a relay does: at most fifty are on their way, and none follows one of
   * its key that was not published, or an outage.
   *
   * @return true if it was handed over
   */
  boolean sendNext(Message message) {
    long room = (long) positions.size() - ON_THEIR_WAY_MAX;
    if (room > 0) {
      awaitOutcome(room);
    }
    String key = message.key();
    Long before = key == null ? null : lastOfKey.get(key);
    if (before != null) {
      awaitOutcome(before);
    }
    boolean mayFollow = before == null || isPublished(before);
    if (book.hasOutage() || !mayFollow) {
      return false;
    }
    send(message);
    return true;
  }

  /**
   * Hands messages over, each by {@link #sendNext}, and waits for their outcomes.
   *
   * @return those that were not published, in order
   */
  List<Message> sendInOrder(List<Message> messages) {
    Map<Long, Message> sent = new HashMap<>();
    for (Message message : messages) {
      if (sendNext(message)) {
        sent.put((long) positions.size(), message);
      }
    }
    client.flush();
    book.await(sent.keySet(), silence);
    Set<Message> published = Collections.newSetFromMap(new IdentityHashMap<>());
    sent.forEach(
        (position, message) -> {
          if (isPublished(position)) {
            published.add(message);
          }
        });
    return messages.stream().filter(message -> !published.contains(message)).toList();
  }

  private void awaitOutcome(long position) {
    client.flush();
    book.await(List.of(position), silence);
  }

  private boolean isPublished(long position) {
    return only(position) instanceof Outcome.Published;
  }

  /** Waits for as long as a relay does: until all are told, or one met an outage. */
  void awaitOutcomesOrOutage() {
    client.flush();
    book.awaitAllOrOutage(positions, silence);
  }

  /**
   * Sends a message again and again until it is published: a client that has just started may be
   * slow.
   *
   * @throws AssertionError if it never is
   */
  public void connect(Message message) {
    for (int i = 0; i < CONNECT_ATTEMPTS; i++) {
      if (sendAll(List.of(message)).contains(Outcome.PUBLISHED)) {
        return;
      }
    }
    throw new AssertionError("never published: " + outcomes());
  }

  /** Returns the outcomes of everything handed over, each of which is the only one. */
  public List<Outcome> outcomes() {
    return positions.stream().map(this::only).toList();
  }

  /** Waits until everything handed over has an outcome. */
  public void awaitOutcomes() {
    book.await(positions, silence);
  }

  /** Returns how many messages have an outcome by now. */
  public int outcomeCount() {
    return book.all().size();
  }

  private Outcome only(long position) {
    List<Outcome> outcomes = book.of(position);
    if (outcomes.size() != 1) {
      throw new AssertionError("position " + position + " has the outcomes " + outcomes);
    }
    return outcomes.get(0);
  }

  /** Returns the client itself. */
  public PublisherClient client() {
    return client;
  }

  /** Closes the client. */
  @Override
  public void close() {
    client.close();
  }
}
