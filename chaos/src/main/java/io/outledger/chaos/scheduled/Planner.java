// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.scheduled;

import io.outledger.Delivery;
import io.outledger.Message;
import io.outledger.chaos.scheduled.Plans.Plan;
import io.outledger.jdbc.JdbcOutbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Schedules, replaces and cancels messages, a few in each transaction. Its keys and names are its
 * own, so that what it does with each is done one after the other; by their ids, it also cancels
 * the messages of others. One that has failed is of no use: it cannot know what was committed. For
 * one thread.
 */
final class Planner {

  private static final int KEYS = 4;
  private static final int ACTIONS_MAX = 3;
  private static final int TOGETHER_MAX = 8;
  private static final int RECENT = 60;
  private static final int DELAY_MS_MAX = 2_500;
  private static final int SECONDS_MAX = 3;
  private static final int KEPT_OF = 10;

  private final String name;
  private final JdbcOutbox outbox;
  private final SplittableRandom random;
  private Deque<Plan> named = new ArrayDeque<>();
  private int names;

  /**
   * Creates it.
   *
   * @param name which nobody has had before
   */
  Planner(String name, JdbcOutbox outbox, SplittableRandom random) {
    this.name = name;
    this.outbox = outbox;
    this.random = random;
  }

  /**
   * Runs a transaction, and commits it or, once in a while, rolls it back.
   *
   * @param connection not in auto-commit mode
   * @return false where nothing may be scheduled now
   */
  boolean step(Connection connection) throws SQLException {
    Plans plans = new Plans(connection);
    if (!plans.may()) {
      connection.rollback();
      return false;
    }
    Deque<Plan> after = new ArrayDeque<>(named);
    for (int left = 1 + random.nextInt(ACTIONS_MAX); left > 0; left--) {
      act(plans, after);
    }
    if (random.nextInt(KEPT_OF) == 0) {
      connection.rollback();
    } else {
      connection.commit();
      named = after;
    }
    return true;
  }

  private void act(Plans plans, Deque<Plan> waiting) throws SQLException {
    Plan last = waiting.peek();
    switch (random.nextInt(8)) {
      case 0, 1 -> waiting.add(schedule(plans, delivery().named(name + "/" + names++), null));
      case 2 -> {
        if (last != null) {
          waiting.remove();
          waiting.add(schedule(plans, delivery().replacing(nameOf(last)), last.id()));
        }
      }
      case 3 -> {
        if (last != null) {
          waiting.remove();
          if (outbox.cancel(plans.connection(), nameOf(last))) {
            plans.cancelled(last.id(), true);
          }
        }
      }
      case 4, 5 -> cancelAny(plans);
      default -> {
        for (int left = 1 + random.nextInt(TOGETHER_MAX); left > 0; left--) {
          schedule(plans, delivery(), null);
        }
      }
    }
  }

  private static String nameOf(Plan plan) {
    return Objects.requireNonNull(plan.name(), "only those with a name are kept");
  }

  private void cancelAny(Plans plans) throws SQLException {
    Optional<UUID> any = plans.before(random.nextInt(RECENT));
    if (any.isPresent() && outbox.cancel(plans.connection(), any.get())) {
      plans.cancelled(any.get(), false);
    }
  }

  private Plan schedule(Plans plans, Delivery when, @Nullable UUID replaces) throws SQLException {
    String key = name + "/k" + random.nextInt(KEYS);
    Message message = Message.to("reminders", "reminder.due").key(key).build();
    Plan plan = new Plan(message.id(), when.name().orElse(null));
    plans.planned(plan, key, when, replaces);
    outbox.append(plans.connection(), message, when);
    if (replaces != null) {
      plans.replaced(replaces);
    }
    return plan;
  }

  /** Returns one of which many come at the same full second. */
  private Delivery delivery() {
    Instant second = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    return switch (random.nextInt(4)) {
      case 0 -> Delivery.after(Duration.ZERO);
      case 1 -> Delivery.after(Duration.ofMillis(random.nextInt(DELAY_MS_MAX)));
      default -> Delivery.at(second.plusSeconds(random.nextInt(SECONDS_MAX)));
    };
  }
}
