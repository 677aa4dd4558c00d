// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Printable;
import io.outledger.jdbc.spi.RelayStatus;
import io.outledger.jdbc.spi.RelayStatus.State;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import io.outledger.store.Declaration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a relay tells into what it is doing, and passes that on when it has changed. Used by
 * one relay's thread; it does no I/O.
 */
final class StatusListener implements RelayListener {

  private static final String OPEN = "open positions";
  private static final String LACKS = "lacked declarations";

  /** The current reasons why messages are kept back, by their subject, the oldest first. */
  private final Map<String, String> causes = new LinkedHashMap<>();

  private final Consumer<RelayStatus> changes;
  private @Nullable UUID incarnation;
  private @Nullable RelayStatus last;

  StatusListener(Consumer<RelayStatus> changes) {
    this.changes = changes;
  }

  @Override
  public void on(RelayEvent event) {
    if (event instanceof RelayEvent.LeaseTaken taken) {
      incarnation = taken.incarnation();
      causes.clear();
      owns();
    } else if (event instanceof RelayEvent.LeaseLost lost) {
      ends(State.STANDBY, lost.reason());
    } else if (event instanceof RelayEvent.LeaseReleased) {
      ends(State.STANDBY, "it released its lease");
    } else if (event instanceof RelayEvent.StandsBy) {
      standsBy();
    } else if (event instanceof RelayEvent.StoreFailed failed) {
      ends(State.RECOVERING, failed.reason());
    } else if (event instanceof RelayEvent.Refused refused) {
      ends(State.REFUSED, refused.reason());
    } else if (event instanceof RelayEvent.Closed) {
      closed();
    } else if (incarnation != null) {
      whileOwner(event);
    }
  }

  /** Why it no longer owns the subscription stays to be read. */
  private void standsBy() {
    if (last == null || last.state() != State.STANDBY) {
      tell(new RelayStatus(State.STANDBY, null, null));
    }
  }

  private void whileOwner(RelayEvent event) {
    if (event instanceof RelayEvent.OutageMet met) {
      causes.putIfAbsent(
          "route " + met.route(),
          "the destination" + of(met.route()) + " is down: " + met.reason());
    } else if (event instanceof RelayEvent.OutageOver over) {
      causes.remove("route " + over.route());
    } else if (event instanceof RelayEvent.Overdue overdue) {
      causes.put(
          "overdue " + overdue.message().route(),
          overdue.message() + " has had no outcome for " + overdue.taken().toSeconds() + " s");
    } else if (event instanceof RelayEvent.InTime inTime) {
      causes.remove("overdue " + inTime.route());
    } else if (event instanceof RelayEvent.BreakerOpened opened) {
      causes.putIfAbsent(
          breaker(opened.route(), opened.topic(), opened.type()),
          "messages of topic %s and type %s are paused%s: %s"
              .formatted(opened.topic(), opened.type(), of(opened.route()), opened.reason()));
    } else if (event instanceof RelayEvent.BreakerClosed closed) {
      causes.remove(breaker(closed.route(), closed.topic(), closed.type()));
    } else if (event instanceof RelayEvent.Lacks lacks && lacks.declarations().isEmpty()) {
      causes.remove(LACKS);
    } else if (event instanceof RelayEvent.Lacks lacks) {
      causes.put(
          LACKS,
          "parks messages for an instance that has "
              + lacks.declarations().stream()
                  .map(Declaration::toString)
                  .sorted()
                  .collect(Collectors.joining("; ")));
    } else if (event instanceof RelayEvent.TooManyOpen open) {
      causes.putIfAbsent(
          OPEN,
          "stopped reading because too many positions are open; blocked by " + open.blockers());
    } else if (event instanceof RelayEvent.ReadsOn) {
      causes.remove(OPEN);
    } else {
      return;
    }
    owns();
  }

  private void owns() {
    if (causes.isEmpty()) {
      tell(new RelayStatus(State.RUNNING, null, incarnation));
    } else {
      String first = causes.values().iterator().next();
      String others = causes.size() == 1 ? "" : " (and " + (causes.size() - 1) + " more)";
      tell(new RelayStatus(State.WAITING, Printable.value(first) + others, incarnation));
    }
  }

  private void ends(State state, String reason) {
    incarnation = null;
    causes.clear();
    tell(new RelayStatus(state, Printable.value(reason), null));
  }

  private void closed() {
    RelayStatus before = last;
    String reason = before != null && before.state() == State.REFUSED ? before.reason() : null;
    ends(State.STOPPED, reason == null ? "" : reason);
  }

  private void tell(RelayStatus status) {
    if (!status.equals(last)) {
      last = status;
      changes.accept(status);
    }
  }

  private static String breaker(String route, String topic, String type) {
    return "breaker " + route + '\0' + topic + '\0' + type;
  }

  private static String of(String route) {
    return route.isEmpty() ? "" : " of route " + route;
  }
}
