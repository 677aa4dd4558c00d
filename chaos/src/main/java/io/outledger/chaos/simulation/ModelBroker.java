// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.Message;
import io.outledger.chaos.history.Entry;
import io.outledger.publish.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A broker with partitions: what it takes is in its log forever. It refuses some messages some
 * times, some always, and at times cannot be reached or has a topic that is broken.
 */
final class ModelBroker {

  static final int PARTITIONS = 3;

  private static final int ALWAYS = Integer.MAX_VALUE;
  private static final long SLOWNESS = 0x736c_6f77L;

  private final World world;
  private final Choices slowness;
  private final SimulatedRoute route;
  private final List<Message> log = new ArrayList<>();
  private final Map<UUID, Integer> refusalsLeft = new HashMap<>();
  private final List<ModelClient> clients = new ArrayList<>();
  private boolean isReachable = true;
  private @Nullable String brokenTopic;
  private @Nullable String brokenType;

  ModelBroker(World world, SimulatedRoute route) {
    this.world = world;
    this.slowness = world.choices().overflow(SLOWNESS ^ route.name().hashCode());
    this.route = route;
  }

  boolean isReachable() {
    return isReachable;
  }

  List<Message> log() {
    return log;
  }

  boolean has(UUID id) {
    return log.stream().anyMatch(message -> message.id().equals(id));
  }

  /** Returns how often a message has arrived. */
  long count(UUID id) {
    return log.stream().filter(message -> message.id().equals(id)).count();
  }

  /** Returns the clients that still have something on its way. */
  List<ModelClient> clients() {
    return clients;
  }

  void opened(ModelClient client) {
    clients.add(client);
  }

  static int partition(Message message) {
    return Math.floorMod(Objects.hash(message.key(), message.topic()), PARTITIONS);
  }

  /** Decides, when the message is handed over, what the answer to this attempt will be. */
  Outcome answer(Message message) {
    if (world.hasFaults() && message.topic().equals(brokenTopic)) {
      String reason = "topic " + brokenTopic + " is broken";
      boolean isKnown = message.id().hashCode() % 2 == 0;
      return isKnown ? Outcome.topicUnavailable(reason) : Outcome.suspect(reason);
    }
    if (world.hasFaults() && message.type().equals(brokenType)) {
      return Outcome.suspect("type " + brokenType + " is broken");
    }
    int left = refusalsLeft.computeIfAbsent(message.id(), id -> refusals());
    if (left == 0) {
      return Outcome.PUBLISHED;
    }
    if (left != ALWAYS) {
      refusalsLeft.put(message.id(), left - 1);
      return world.choices().chance(0.5) ? Outcome.rejected("bad") : Outcome.suspect("fails");
    }
    return world.choices().chance(0.2) ? Outcome.refused("hopeless") : Outcome.rejected("bad");
  }

  /**
   * Decides how long this attempt takes at least. Where there are several routes, what was refused
   * before may take longer than the relay lets pass until it looks for what is due again.
   */
  Duration time(Message message) {
    boolean mayBeSlow = !route.name().isEmpty() && world.hasFaults();
    if (!mayBeSlow
        || !slowness.chance(refusalsLeft.getOrDefault(message.id(), 0) > 0 ? 0.5 : 0.02)) {
      return Duration.ZERO;
    }
    Duration lease = route.subscription().terms().lease;
    return slowness.millis(500, Math.min(4_000, (int) lease.toMillis() / 5 * 2));
  }

  /** Ends all refusals of a message, as when whoever reads it has been fixed. */
  void cure(UUID id) {
    refusalsLeft.put(id, 0);
  }

  void take(Sent sent) {
    route.arrives(sent.id());
    route
        .journal()
        .write(new Entry.Arrived("partition " + partition(sent.message), log.size(), sent.id()));
    log.add(sent.message);
  }

  /** A turn for the worse or the better. */
  void turn() {
    if (world.choices().chance(0.5)) {
      isReachable = !isReachable;
    } else if (world.choices().chance(0.5)) {
      brokenType = brokenType == null ? world.choices().pick(Writers.TYPES) : null;
    } else {
      brokenTopic = brokenTopic == null ? world.choices().pick(Writers.TOPICS) : null;
    }
    world.tell(
        route + "'s broker",
        () ->
            (isReachable ? "can be reached" : "cannot be reached")
                + (brokenTopic == null ? "" : ", topic " + brokenTopic + " is broken")
                + (brokenType == null ? "" : ", type " + brokenType + " is broken"));
  }

  void mend() {
    isReachable = true;
    brokenTopic = null;
    brokenType = null;
  }

  /** Lets something happen on the way of one message. */
  void act() {
    clients.removeIf(ModelClient::isForgotten);
    if (!clients.isEmpty()) {
      world.choices().pick(clients).act();
    }
  }

  /** Fewer than the attempts that make a dead letter, or forever: what died stays refused. */
  private int refusals() {
    Choices choices = world.choices();
    if (!choices.chance(world.plan().rejected)) {
      return 0;
    }
    return choices.chance(0.3)
        ? ALWAYS
        : choices.between(1, route.subscription().terms().attemptsMax - 1);
  }
}
