// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.Message;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.relay.listener.RelayEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A route's destination, which checks the order of a key at each send: every earlier message of the
 * key has arrived, is dead or, where the publisher is pipelined, is on its way. It takes messages
 * and answers them at random, a few a {@link #tick}, and may be cut or away.
 */
final class WatchedDestination implements Publisher {

  /**
   * What sets a destination apart.
   *
   * @param topics the topics that its route accepts
   * @param answersBehind whether a pipelined destination answers {@link Outcome#behind} to what
   *     follows a rejected message of its key
   * @param keyStaysBlocked whether a dead message blocks its key
   */
  record Traits(
      String route,
      Set<String> topics,
      KeyOrder keyOrder,
      boolean answersBehind,
      boolean keyStaysBlocked) {}

  private final Traits traits;
  private final FaultyMessages messages;
  private final List<RelayEvent> events;
  private final Random random;
  private final Set<UUID> arrived = new HashSet<>();
  private final Set<UUID> dead = new HashSet<>();
  private int eventsRead;
  private @Nullable Outcome away;
  private @Nullable Client current;
  private @Nullable String violation;

  /**
   * Makes a destination.
   *
   * @param events what the relays have told their listener; it tells of the deaths
   */
  WatchedDestination(
      Traits traits, FaultyMessages messages, List<RelayEvent> events, Random random) {
    this.traits = traits;
    this.messages = messages;
    this.events = events;
    this.random = random;
  }

  @Override
  public KeyOrder keyOrder() {
    return traits.keyOrder();
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    current = new Client(outcomes);
    return current;
  }

  /** Has the destination go, or come back if it was away. */
  void change() {
    boolean isCut = random.nextBoolean();
    Outcome next = isCut ? Outcome.unavailable("cut") : Outcome.unreachable("nobody there");
    away = away == null ? next : null;
  }

  void comeBack() {
    away = null;
  }

  /** Takes and answers a few of the messages that were sent. */
  void tick() {
    if (current != null) {
      current.tick();
    }
  }

  /** Returns the first send that broke the order of a key; null if there was none. */
  @Nullable String violation() {
    return violation;
  }

  /** Reads which messages have died since the last time. */
  void learnDeaths() {
    for (; eventsRead < events.size(); eventsRead++) {
      if (events.get(eventsRead) instanceof RelayEvent.Died died
          && died.message().route().equals(traits.route())) {
        dead.add(died.message().id());
      }
    }
  }

  boolean isSettled() {
    return messages.all().stream()
        .allMatch(message -> isOver(message) || !traits.topics().contains(message.topic()));
  }

  /** Returns the messages that have neither arrived nor died here, though they should have. */
  List<Message> stuck() {
    return messages.all().stream()
        .filter(message -> traits.topics().contains(message.topic()))
        .filter(message -> !arrived.contains(message.id()) && !dead.contains(message.id()))
        .toList();
  }

  List<Message> dead() {
    return messages.all().stream().filter(message -> dead.contains(message.id())).toList();
  }

  /** Returns whether later messages of the key need not wait for this one. */
  private boolean isOver(Message message) {
    boolean isDead = dead.contains(message.id()) && !traits.keyStaysBlocked();
    return isDead || arrived.contains(message.id());
  }

  private final class Client implements PublisherClient {
    private final Outcomes outcomes;
    private final Deque<Long> untaken = new ArrayDeque<>();
    private final Map<Long, Outcome> answers = new LinkedHashMap<>();
    private final Set<Long> onTheirWay = new HashSet<>();

    /**
     * The last position of a rejected key that the relay was told of; as a flow's client has it.
     */
    private final Map<String, Long> rejectedKeys = new HashMap<>();

    private boolean closed;

    private Client(Outcomes outcomes) {
      this.outcomes = outcomes;
    }

    @Override
    public void publish(long position, int attempt, Message message) {
      learnDeaths();
      boolean isRetriedFromDeath = dead.contains(message.id());
      if (violation == null && !isRetriedFromDeath) {
        checkOrder(position);
      }
      if (closed) {
        outcomes.report(position, Outcome.unavailable("closed"));
        return;
      }
      Long last = message.key() == null ? null : rejectedKeys.get(message.key());
      if (last != null && position <= last) {
        rejectedKeys.remove(message.key()); // it comes again, so the relay has heard
      }
      untaken.add(position);
      onTheirWay.add(position);
    }

    /** The relay would catch an exception thrown here, so the trial asks for the violation. */
    private void checkOrder(long position) {
      boolean isPipelined = traits.keyOrder() == KeyOrder.PIPELINED;
      for (long earlier : messages.earlierOfKey(position)) {
        Message other = messages.at(earlier);
        boolean isMet = isOver(other) || (isPipelined && onTheirWay.contains(earlier));
        if (!isMet && traits.topics().contains(other.topic())) {
          violation =
              "%s sends %s before %s of key %s (%s)"
                  .formatted(traits.route(), position, earlier, other.key(), traits);
          return;
        }
      }
    }

    @Override
    public void flush() {}

    /** Some of what was sent may arrive all the same, unanswered. */
    @Override
    public Set<Long> recall() {
      return Set.of();
    }

    @Override
    public void close() {
      if (!closed) {
        take(random.nextInt(untaken.size() + 1));
        closed = true;
      }
    }

    private void tick() {
      if (!closed) {
        take(random.nextInt(4));
      }
      if (!closed) {
        answerSome();
      }
    }

    private void take(int count) {
      for (int left = count; left > 0 && !untaken.isEmpty() && !closed; left--) {
        long position = untaken.element();
        Outcome met = meets(messages.at(position));
        if (met instanceof Outcome.Unavailable unavailable
            && unavailable.kind() == Outcome.Unavailable.Kind.LOST) {
          cut();
        } else {
          untaken.remove();
          take(position, met == null ? Outcome.PUBLISHED : met);
        }
      }
    }

    private void take(long position, Outcome outcome) {
      Message message = messages.at(position);
      if (outcome instanceof Outcome.Published) {
        arrived.add(message.id());
      } else if (outcome instanceof Outcome.Rejected && message.key() != null) {
        rejectedKeys.merge(message.key(), position, Math::max);
      }
      answers.put(position, outcome);
    }

    private @Nullable Outcome meets(Message message) {
      if (away != null) {
        return away;
      }
      boolean isBehind = message.key() != null && rejectedKeys.containsKey(message.key());
      if (isBehind && traits.answersBehind() && traits.keyOrder() == KeyOrder.PIPELINED) {
        return Outcome.behind("its key was rejected");
      }
      return messages.attempt(message);
    }

    /** Ends the connection. Some of the answers are lost with it. */
    private void cut() {
      closed = true;
      answers.forEach(
          (position, outcome) ->
              outcomes.report(
                  position, random.nextBoolean() ? outcome : Outcome.unavailable("cut")));
      untaken.forEach(position -> outcomes.report(position, Outcome.unavailable("cut")));
      onTheirWay.clear();
      untaken.clear();
      answers.clear();
    }

    private void answerSome() {
      List<Long> positions = new ArrayList<>(answers.keySet());
      if (random.nextInt(3) > 0) {
        Collections.shuffle(positions, random);
      }
      for (Long position : positions) {
        if (random.nextInt(3) > 0) {
          onTheirWay.remove(position);
          Outcome outcome = answers.remove(position);
          if (outcome != null) {
            outcomes.report(position, outcome);
          }
        }
      }
    }
  }
}
