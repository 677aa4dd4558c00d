// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.Message;
import io.outledger.chaos.history.CommitOutcome;
import io.outledger.chaos.history.Entry;
import io.outledger.inbox.Inbox;
import io.outledger.inbox.InboxOutcome;
import io.outledger.inbox.Received;
import io.outledger.testing.InMemoryTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A consumer with an inbox, which dies between any two of: effect, commit, acknowledgement. Its
 * effects and replies are committed with the ids it remembers, or not at all.
 */
final class ConsumerProcess {

  static final String REPLIES = "replies";

  private final World world;
  private final SimulatedRoute route;
  private final String name;
  private final Inbox<InMemoryTransaction> inbox;
  private final Map<String, Long> counters = new HashMap<>();
  private final List<UUID> effects = new ArrayList<>();
  private int acknowledged;
  private boolean isOnStack;

  ConsumerProcess(World world, SimulatedRoute route) {
    this.world = world;
    this.route = route;
    this.name = "consumer of " + route;
    this.inbox = new Inbox<>(name, world.ledger().inboxStore());
    route.journal().write(new Entry.Consumes(name));
  }

  boolean isDone() {
    return acknowledged == route.broker().log().size();
  }

  /** What the database holds of a consumer; its offset is kept there too. */
  record Memory(Map<String, Long> counters, List<UUID> effects, int acknowledged) {}

  boolean isOnStack() {
    return isOnStack;
  }

  Memory memory() {
    return new Memory(Map.copyOf(counters), List.copyOf(effects), acknowledged);
  }

  void restore(Memory memory) {
    counters.clear();
    counters.putAll(memory.counters());
    effects.clear();
    effects.addAll(memory.effects());
    acknowledged = memory.acknowledged();
  }

  void writeEndState() {
    effects.forEach(id -> route.journal().write(new Entry.Effect(name, id)));
  }

  /** Takes a turn. */
  void act() {
    if (!isOnStack && !isDone()) {
      isOnStack = true;
      try {
        receive();
      } catch (Crash crash) {
        world.tell(name, crash::getMessage);
      } finally {
        isOnStack = false;
      }
    }
  }

  private void receive() {
    List<Message> log = route.broker().log();
    int to = Math.min(log.size(), acknowledged + world.choices().between(1, 5));
    List<Received> batch =
        log.subList(acknowledged, to).stream().map(m -> Received.of("outledger", m)).toList();
    List<UUID> fresh = new ArrayList<>();
    List<Writers.Written> replies = new ArrayList<>();
    try (InMemoryTransaction transaction = world.ledger().begin()) {
      List<InboxOutcome> outcomes =
          inbox.processAll(
              transaction,
              batch,
              these -> these.forEach(one -> work(transaction, one, fresh, replies)));
      if (outcomes.contains(InboxOutcome.DUPLICATE)) {
        world.note(Happening.DUPLICATE_MET_BY_INBOX);
      }
      world.interleave();
      mayCrash("before the commit");
      transaction.commit();
    }
    effects.addAll(fresh);
    for (Writers.Written reply : replies) {
      world.note(Happening.REPLY_APPENDED_BY_HANDLER);
      world.wrote(reply.with(CommitOutcome.COMMITTED));
      counters.put(reply.key(), reply.counter());
    }
    world.interleave();
    mayCrash("before the acknowledgement");
    acknowledged = to;
  }

  private void work(
      InMemoryTransaction transaction,
      Received one,
      List<UUID> fresh,
      List<Writers.Written> replies) {
    mayCrash("in the work");
    UUID id = UUID.fromString(one.id());
    fresh.add(id);
    if (!one.topic().equals(REPLIES) && world.choices().chance(0.1)) {
      String key = name + "'s reply to " + one.key();
      long before = replies.stream().filter(reply -> reply.key().equals(key)).count();
      Message message = world.message(REPLIES, "replied").key(key).build();
      transaction.append(message);
      Writers.Written reply =
          new Writers.Written(key, counters.getOrDefault(key, 0L) + before + 1, message.id());
      replies.add(reply);
    }
  }

  private void mayCrash(String where) {
    if (world.hasFaults() && world.choices().chance(world.plan().crash * 3)) {
      world.happenings().crashed(where);
      throw new Crash(where);
    }
  }
}
