// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import io.outledger.testing.InMemoryLedger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Random messages of few keys and topics. Some have a fault of their own, which the first attempts
 * meet; a topic may be away, which all its messages meet.
 */
final class FaultyMessages {

  private static final int KEYS = 5;
  private static final int TOPICS = 3;

  private final Random random;
  private final boolean mayBeSuspect;
  private final SortedMap<Long, Message> byPosition = new TreeMap<>();
  private final Map<String, List<Long>> positionsOfKey = new HashMap<>();
  private final Map<UUID, Outcome> faults = new HashMap<>();
  private final Map<UUID, Integer> failuresLeft = new HashMap<>();
  private final Map<String, Outcome> topicsAway = new HashMap<>();

  /**
   * Begins without messages.
   *
   * @param mayBeSuspect whether a message or topic may fail with {@link Outcome#suspect}
   */
  FaultyMessages(Random random, boolean mayBeSuspect) {
    this.random = random;
    this.mayBeSuspect = mayBeSuspect;
  }

  /** Appends one more message. */
  void appendTo(InMemoryLedger ledger) {
    int number = byPosition.size() + 1;
    String key = random.nextInt(8) == 0 ? null : "k" + random.nextInt(KEYS);
    Message.Builder next =
        Message.to(anyTopic(), "test.event")
            .id(new UUID(1, number))
            .payload(String.valueOf(number).getBytes(UTF_8));
    Message message = (key == null ? next : next.key(key)).build();
    if (random.nextInt(6) == 0) {
      plantFault(message);
    }
    long position = ledger.inNewTransaction(message).get(0);
    byPosition.put(position, message);
    if (key != null) {
      positionsOfKey.computeIfAbsent(key, k -> new ArrayList<>()).add(position);
    }
  }

  private void plantFault(Message message) {
    if (random.nextInt(3) == 0) {
      boolean isCut = random.nextBoolean();
      faults.put(
          message.id(), isCut ? Outcome.unavailable("cut by it") : Outcome.unanswered("silence"));
      failuresLeft.put(message.id(), 1 + random.nextInt(3));
    } else {
      faults.put(message.id(), anyRejection());
      failuresLeft.put(message.id(), 1 + random.nextInt(4));
    }
  }

  private Outcome anyRejection() {
    return switch (random.nextInt(mayBeSuspect ? 3 : 2)) {
      case 0 -> Outcome.rejected("its own fault");
      case 1 -> Outcome.refused("its own fault, for good");
      default -> Outcome.suspect("perhaps its own fault");
    };
  }

  private String anyTopic() {
    return "t" + (1 + random.nextInt(TOPICS));
  }

  /** Has a topic go, or come back if it was away. */
  void changeTopic() {
    String topic = anyTopic();
    if (topicsAway.remove(topic) == null) {
      boolean isSuspect = mayBeSuspect && random.nextBoolean();
      topicsAway.put(
          topic,
          isSuspect ? Outcome.suspect("its handler fails") : Outcome.topicUnavailable("no queue"));
    }
  }

  /** Has every topic and message be well from now on. */
  void endFaults() {
    topicsAway.clear();
    failuresLeft.clear();
  }

  /** Takes an attempt at a message, and returns what it meets: null if it arrives. */
  @Nullable Outcome attempt(Message message) {
    Outcome ofTopic = topicsAway.get(message.topic());
    if (ofTopic != null) {
      return ofTopic;
    }
    int left = failuresLeft.getOrDefault(message.id(), 0);
    if (left == 0) {
      return null;
    }
    failuresLeft.put(message.id(), left - 1);
    return faults.get(message.id());
  }

  boolean hasFaultOfItsOwn(Message message) {
    return faults.containsKey(message.id());
  }

  Message at(long position) {
    return Objects.requireNonNull(byPosition.get(position));
  }

  List<Message> all() {
    return List.copyOf(byPosition.values());
  }

  /** Returns the positions of the key's messages that were appended before this one. */
  List<Long> earlierOfKey(long position) {
    String key = at(position).key();
    List<Long> ofKey = key == null ? List.of() : positionsOfKey.getOrDefault(key, List.of());
    return ofKey.stream().filter(other -> other < position).toList();
  }
}
