// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Printable;
import io.outledger.jdbc.admin.Cause.Kind;
import io.outledger.jdbc.spi.RelayCause;
import io.outledger.jdbc.spi.RelayCause.About;
import io.outledger.jdbc.spi.RelayStatus;
import io.outledger.jdbc.spi.RelayStatus.State;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import io.outledger.store.Declaration;
import io.outledger.store.PauseScope;
import io.outledger.store.Paused;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
  private static final String PAUSE = "pause of ";
  private static final String LACKS = "lacked declarations";
  private static final String KEYS = "keys ";

  /** The current reasons why messages are kept back, by their subject, the oldest first. */
  private final Map<String, Began> causes = new LinkedHashMap<>();

  private final Consumer<RelayStatus> changes;
  private final TimeSource time;
  private @Nullable UUID incarnation;
  private @Nullable RelayStatus last;
  private boolean isPaused;
  private boolean waits;
  private List<Began> lastCauses = List.of();

  /** A reason, and when it began. */
  private record Began(Kind kind, About about, String text, long nanos) {}

  StatusListener(Consumer<RelayStatus> changes, TimeSource time) {
    this.changes = changes;
    this.time = time;
  }

  @Override
  public void on(RelayEvent event) {
    if (event instanceof RelayEvent.Measured) {
      return;
    }
    if (event instanceof RelayEvent.LeaseTaken taken) {
      incarnation = taken.incarnation();
      causes.clear();
      isPaused = false;
      waits = false;
      owns();
    } else if (event instanceof RelayEvent.LeaseLost lost) {
      ends(State.STANDBY, lost.reason());
    } else if (event instanceof RelayEvent.Moved) {
      ends(State.STANDBY, "the subscription was moved on request");
    } else if (event instanceof RelayEvent.LeaseReleased) {
      ends(State.STANDBY, "it released its lease");
    } else if (event instanceof RelayEvent.StandsBy standsBy) {
      standsBy(standsBy.reason());
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

  /** Why it no longer owns the subscription stays to be read, unless all wait for something. */
  private void standsBy(@Nullable String reason) {
    boolean waited = waits;
    waits = reason != null;
    if (reason != null || waited || last == null || last.state() != State.STANDBY) {
      tell(new RelayStatus(State.STANDBY, reason == null ? null : Printable.value(reason), null));
    }
  }

  private void whileOwner(RelayEvent event) {
    if (event instanceof RelayEvent.OutageBegan met) {
      begins(
          "route " + met.route(),
          Kind.OUTAGE,
          About.ofRoute(met.route()),
          "cannot reach the destination" + of(met.route()) + ": " + met.reason());
    } else if (event instanceof RelayEvent.OutageOver over) {
      causes.remove("route " + over.route());
    } else if (event instanceof RelayEvent.Overdue overdue) {
      isOverdue(overdue);
    } else if (event instanceof RelayEvent.OverdueEnded ended) {
      causes.remove("overdue " + ended.route());
    } else if (event instanceof RelayEvent.BreakerOpened opened) {
      begins(
          breaker(opened.route(), opened.topic(), opened.type()),
          Kind.BREAKER,
          new About(opened.route(), opened.topic(), opened.type(), null),
          "many failed in a row, so messages of topic %s and type %s%s are tried one at a time: %s"
              .formatted(opened.topic(), opened.type(), of(opened.route()), opened.reason()));
    } else if (event instanceof RelayEvent.BreakerClosed closed) {
      causes.remove(breaker(closed.route(), closed.topic(), closed.type()));
    } else if (event instanceof RelayEvent.BreakerForgotten forgotten) {
      causes.remove(breaker(forgotten.route(), forgotten.topic(), forgotten.type()));
    } else if (event instanceof RelayEvent.Lacks lacks) {
      lacks(lacks);
    } else if (event instanceof RelayEvent.TooManyKeys keys) {
      begins(
          KEYS + keys.route(),
          Kind.WAITING_KEYS,
          About.ALL,
          "stopped reading because %s keys%s wait for parked messages: %s"
              .formatted(keys.keys(), of(keys.route()), keys.reason()));
    } else if (event instanceof RelayEvent.FewerKeys fewer) {
      causes.remove(KEYS + fewer.route());
    } else if (event instanceof RelayEvent.PausesChanged changed) {
      pausesChanged(changed.pauses());
    } else if (event instanceof RelayEvent.TooManyOpen open) {
      begins(
          OPEN,
          Kind.OPEN_POSITIONS,
          About.ALL,
          "stopped reading because too many positions are open; blocked by " + open.blockers());
    } else if (event instanceof RelayEvent.ReadsOn) {
      causes.remove(OPEN);
    } else {
      return;
    }
    owns();
  }

  /** A pause of the whole subscription is a state, too. */
  private void pausesChanged(Set<Paused> pauses) {
    Set<String> subjects =
        pauses.stream().map(each -> PAUSE + each.scope()).collect(Collectors.toSet());
    causes.keySet().removeIf(each -> each.startsWith(PAUSE) && !subjects.contains(each));
    isPaused = false;
    for (Paused each : pauses) {
      isPaused |= each.scope().kind() == PauseScope.Kind.SUBSCRIPTION;
      begins(PAUSE + each.scope(), Kind.PAUSE, about(each.scope()), each.toString());
    }
  }

  private static About about(PauseScope scope) {
    return switch (scope.kind()) {
      case SUBSCRIPTION -> About.ALL;
      case ROUTE -> About.ofRoute(scope.name());
      case TOPIC -> new About("", scope.name(), null, null);
      case KEY -> new About("", null, null, scope.name());
    };
  }

  /** Notes a reason; one that is there goes on. */
  private void begins(String subject, Kind kind, About about, String text) {
    causes.putIfAbsent(subject, new Began(kind, about, Printable.value(text), time.nanoTime()));
  }

  /** Says for how long, which grows; it began when it was first told. */
  private void isOverdue(RelayEvent.Overdue overdue) {
    String subject = "overdue " + overdue.message().route();
    String text =
        overdue.message() + " has had no outcome for " + overdue.taken().toSeconds() + " s";
    replaces(subject, Kind.OVERDUE, About.ofRoute(overdue.message().route()), text);
  }

  private void lacks(RelayEvent.Lacks lacks) {
    if (lacks.declarations().isEmpty()) {
      causes.remove(LACKS);
      return;
    }
    String all =
        lacks.declarations().stream()
            .map(Declaration::toString)
            .sorted()
            .collect(Collectors.joining("; "));
    replaces(LACKS, Kind.LACKING, About.ALL, "parks messages for an instance that has " + all);
  }

  private void replaces(String subject, Kind kind, About about, String text) {
    Began before = causes.get(subject);
    long nanos = before == null ? time.nanoTime() : before.nanos();
    causes.put(subject, new Began(kind, about, Printable.value(text), nanos));
  }

  private void owns() {
    List<Began> all = List.copyOf(causes.values());
    if (all.isEmpty()) {
      tell(new RelayStatus(State.RUNNING, null, incarnation), all);
    } else {
      String others = all.size() == 1 ? "" : " (and " + (all.size() - 1) + " more)";
      String reason = all.get(0).text() + others;
      State state = isPaused ? State.PAUSED : State.WAITING;
      tell(new RelayStatus(state, reason, incarnation, told(all)), all);
    }
  }

  private List<RelayCause> told(List<Began> all) {
    long now = time.nanoTime();
    return all.stream()
        .map(
            each ->
                new RelayCause(
                    each.kind(),
                    each.about(),
                    each.text(),
                    Duration.ofNanos(Math.max(0, now - each.nanos()))))
        .toList();
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
    tell(status, List.of());
  }

  /** Causes are compared by when they began: how long ago that is differs each time. */
  private void tell(RelayStatus status, List<Began> now) {
    boolean isSame =
        last != null
            && last.state() == status.state()
            && Objects.equals(last.reason(), status.reason())
            && Objects.equals(last.incarnation(), status.incarnation())
            && lastCauses.equals(now);
    if (!isSame) {
      last = status;
      lastCauses = now;
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
