// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.listener;

import io.outledger.Require;
import io.outledger.log.QuietLog;
import io.outledger.time.TimeSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Writes what a relay does into the log: at most one line a second for each kind of event, with the
 * number of those it stands for, and of an outage that lasts ever fewer. A line about a message
 * names its id, key, position and route, so that those of one message can be found together; never
 * its payload or headers. Thread-safe.
 */
public final class RelayLog implements RelayListener {

  private final QuietLog log;

  /** Makes the log of a subscription's relay. */
  public RelayLog(String subscription, TimeSource time) {
    this(
        new QuietLog(
            RelayLog.class, "relay " + Require.nonNull("subscription", subscription), time));
  }

  RelayLog(QuietLog log) {
    this.log = log;
  }

  @Override
  public void on(RelayEvent event) {
    if (event instanceof RelayEvent.Measured) {
      return;
    }
    // What was held back announces a next attempt, of which there is none without the lease.
    if (event instanceof RelayEvent.LeaseReleased || event instanceof RelayEvent.LeaseLost) {
      log.drop(kind(RelayEvent.OutageBegan.class));
    } else if (event instanceof RelayEvent.Closed) {
      log.drop(kind(RelayEvent.OutageBegan.class));
      log.drop(kind(RelayEvent.StoreFailed.class));
      log.tellRest();
    }
    // First what is left of the failure, then that it is over.
    if (event instanceof RelayEvent.LeaseTaken) {
      log.over(kind(RelayEvent.StoreFailed.class));
    } else if (event instanceof RelayEvent.OutageOver) {
      log.over(kind(RelayEvent.OutageBegan.class));
    } else if (event instanceof RelayEvent.ReadsOn) {
      log.over(kind(RelayEvent.TooManyOpen.class));
    }
    String kind = kind(event.getClass());
    String lasting = lasting(event);
    if (lasting == null) {
      log.say(level(event), kind, () -> RelayWords.of(event));
    } else {
      log.fails(level(event), kind, lasting, () -> RelayWords.of(event));
    }
  }

  private static String kind(Class<? extends RelayEvent> event) {
    return event.getSimpleName();
  }

  /** Returns the cause of what may go on for hours; null for what is told each time. */
  private static @Nullable String lasting(RelayEvent event) {
    if (event instanceof RelayEvent.OutageBegan met) {
      return met.route() + ": " + met.reason();
    }
    if (event instanceof RelayEvent.StoreFailed failed) {
      return failed.reason();
    }
    if (event instanceof RelayEvent.TooManyOpen open) {
      return open.blockers();
    }
    if (event instanceof RelayEvent.ParkedElsewhere elsewhere) {
      return elsewhere.route();
    }
    return event instanceof RelayEvent.Refused refused ? refused.reason() : null;
  }

  private static Level level(RelayEvent event) {
    if (event instanceof RelayEvent.Saved
        || event instanceof RelayEvent.Held
        || event instanceof RelayEvent.Refused) {
      return Level.DEBUG;
    }
    if (event instanceof RelayEvent.Died
        || event instanceof RelayEvent.TooManyOpen
        || event instanceof RelayEvent.BreakerOpened) {
      return Level.ERROR;
    }
    boolean warns =
        event instanceof RelayEvent.LeaseLost
            || event instanceof RelayEvent.Parked
            || event instanceof RelayEvent.OutageBegan
            || event instanceof RelayEvent.Overdue
            || event instanceof RelayEvent.OvertakenByKey
            || event instanceof RelayEvent.ParkedElsewhere
            || event instanceof RelayEvent.DeclaredAgain
            || (event instanceof RelayEvent.PausesChanged changed && !changed.pauses().isEmpty())
            || (event instanceof RelayEvent.Lacks lacks && !lacks.declarations().isEmpty())
            || event instanceof RelayEvent.TooManyKeys
            || event instanceof RelayEvent.StoreFailed;
    return warns ? Level.WARN : Level.INFO;
  }
}
