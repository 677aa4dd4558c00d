// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.listener;

import io.outledger.Given;
import io.outledger.Printable;
import io.outledger.time.TimeSource;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Writes what a relay does into the log: at most one line a second for each kind of event, with the
 * number of those it stands for. A line about a message names its id, key, position and route, so
 * that those of one message can be found together; never its payload or headers.
 *
 * <p>Used by one relay's thread.
 */
public final class RelayLog implements RelayListener {

  private static final long SECOND_NANOS = 1_000_000_000L;

  private final String subscription;
  private final TimeSource time;
  private final Logger log;
  private final Map<Class<?>, Quiet> quiet = new HashMap<>();

  /** Makes the log of a subscription's relay. */
  public RelayLog(String subscription, TimeSource time) {
    this(subscription, time, LoggerFactory.getLogger(RelayLog.class));
  }

  RelayLog(String subscription, TimeSource time, Logger log) {
    this.subscription = Printable.value(Given.check("subscription", subscription));
    this.time = Given.check("time", time);
    this.log = log;
  }

  @Override
  public void on(RelayEvent event) {
    long now = time.nanoTime();
    say(event, now);
    tellRest(now, event instanceof RelayEvent.Closed);
  }

  /** A suppressed line must not wait for the next of its kind, which may be days away. */
  private void tellRest(long now, boolean isLast) {
    for (Quiet kind : quiet.values()) {
      if (kind.unsaid > 0 && (isLast || now - kind.saidAt >= SECOND_NANOS)) {
        log.atLevel(kind.level)
            .log(
                "relay {}: {} more of this kind; the last one: {}",
                subscription,
                kind.unsaid,
                kind.words());
        kind.said(now);
      }
    }
  }

  private void say(RelayEvent event, long now) {
    Level level = level(event);
    if (!log.isEnabledForLevel(level)) {
      return;
    }
    Quiet kind = quiet.computeIfAbsent(event.getClass(), ignored -> new Quiet(level));
    kind.unsaid++;
    kind.last = event;
    if (kind.isFirst || now - kind.saidAt >= SECOND_NANOS) {
      log.atLevel(level).log("relay {}: {}{}", subscription, RelayWords.of(event), kind.others());
      kind.said(now);
    }
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
            || event instanceof RelayEvent.OutageMet
            || event instanceof RelayEvent.Overdue
            || event instanceof RelayEvent.OvertakenByKey
            || event instanceof RelayEvent.StoreFailed;
    return warns ? Level.WARN : Level.INFO;
  }

  private static final class Quiet {
    private final Level level;
    private @Nullable RelayEvent last;
    private boolean isFirst = true;
    private int unsaid;
    private long saidAt;

    private Quiet(Level level) {
      this.level = level;
    }

    private String words() {
      return last == null ? "" : RelayWords.of(last);
    }

    private String others() {
      return unsaid > 1 ? " (and " + (unsaid - 1) + " more of this kind)" : "";
    }

    private void said(long now) {
      isFirst = false;
      unsaid = 0;
      saidAt = now;
    }
  }
}
