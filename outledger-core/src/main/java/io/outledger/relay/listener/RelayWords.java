// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.listener;

import static java.util.stream.Collectors.joining;

import io.outledger.ErrorCode;
import io.outledger.Printable;
import io.outledger.frontier.Frontier;
import io.outledger.parking.ParkingWords;
import io.outledger.store.Declaration;
import io.outledger.store.Paused;
import java.util.Set;

/** Says in a sentence what an event tells: what happened, to what, and what follows. */
final class RelayWords {

  private RelayWords() {}

  static String of(RelayEvent event) {
    if (event instanceof RelayEvent.Parked parked && parked.attempts() == 0) {
      return "%s was parked without an attempt and will be tried later: %s"
          .formatted(parked.message(), Printable.text(parked.reason()));
    }
    if (event instanceof RelayEvent.Parked parked) {
      return "%s was rejected (%s) and will be retried: %s"
          .formatted(
              parked.message(),
              ParkingWords.attempts(parked.attempts()),
              Printable.text(parked.reason()));
    }
    if (event instanceof RelayEvent.Died died) {
      return ParkingWords.died(died.message(), died.attempts(), died.reason());
    }
    if (event instanceof RelayEvent.Held held) {
      return ParkingWords.held(held.message());
    }
    if (event instanceof RelayEvent.Recovered recovered) {
      return recovered.message() + " succeeded at attempt " + recovered.attempt();
    }
    if (event instanceof RelayEvent.NotTaken not) {
      return not.message() + " is no longer parked, because its route no longer takes it";
    }
    if (event instanceof RelayEvent.Discarded discarded) {
      return ParkingWords.discarded(discarded.message());
    }
    if (event instanceof RelayEvent.Erased erased) {
      return erased.message() + " was erased on request, so it is not published";
    }
    if (event instanceof RelayEvent.OvertakenByKey overtaken) {
      return overtaken.message()
          + " was rejected after later messages with the same key had been sent";
    }
    if (event instanceof RelayEvent.Overdue overdue) {
      return overdue.message()
          + " has had no outcome for "
          + Printable.about(overdue.taken())
          + ", so later messages with its key wait; check its handler or publisher";
    }
    return ofDestination(event);
  }

  private static String ofDestination(RelayEvent event) {
    if (event instanceof RelayEvent.OutageBegan met) {
      return "cannot reach the destination%s (failure %s in a row); next probe in %s: %s"
          .formatted(
              in(met.route()),
              met.failures(),
              Printable.about(met.nextProbe()),
              Printable.text(met.reason()));
    }
    if (event instanceof RelayEvent.OutageOver over) {
      return "the destination" + in(over.route()) + " is reachable again";
    }
    if (event instanceof RelayEvent.OverdueEnded ended) {
      return "deliveries%s are no longer overdue".formatted(in(ended.route()));
    }
    if (event instanceof RelayEvent.BreakerOpened opened) {
      String messages = ParkingWords.messages(opened.type(), "to", opened.topic());
      return ParkingWords.opened(messages + in(opened.route()))
          + ": "
          + Printable.text(opened.reason());
    }
    if (event instanceof RelayEvent.BreakerClosed closed) {
      String messages = ParkingWords.messages(closed.type(), "to", closed.topic());
      return "breaker closed: %s%s are %s"
          .formatted(
              messages,
              in(closed.route()),
              closed.recovered()
                  ? "published again"
                  : "sent again; each one that is rejected is parked");
    }
    if (event instanceof RelayEvent.BreakerForgotten forgotten) {
      String messages = ParkingWords.messages(forgotten.type(), "to", forgotten.topic());
      return "no %s%s are kept back any more; the next one that is rejected opens the breaker again"
          .formatted(messages, in(forgotten.route()));
    }
    return ofDeclarations(event);
  }

  private static String ofDeclarations(RelayEvent event) {
    if (event instanceof RelayEvent.Lacks lacks) {
      return lacks.declarations().isEmpty()
          ? "has everything that is declared for the subscription"
          : ("does not have what other instances have declared (%s), and parks its messages; start"
                  + " an instance that has it, end the declaration if it is gone for good, or"
                  + " rename it in the database if it has another name now")
              .formatted(list(lacks.declarations()));
    }
    if (event instanceof RelayEvent.TooManyKeys keys) {
      return "%s stopped reading because %s keys%s wait for parked messages: %s"
          .formatted(
              ErrorCode.TOO_MANY_PARKED.code(),
              keys.keys(),
              in(keys.route()),
              Printable.text(keys.reason()));
    }
    if (event instanceof RelayEvent.FewerKeys fewer) {
      return "fewer keys%s wait for parked messages".formatted(in(fewer.route()));
    }
    if (event instanceof RelayEvent.DeclaredAgain again) {
      return ("declares again what it has and somebody has ended (%s); it can be ended once no"
              + " instance has it any more")
          .formatted(list(again.declarations()));
    }
    if (event instanceof RelayEvent.HandsOver handsOver) {
      return "hands over to an instance that has " + list(handsOver.declarations());
    }
    if (event instanceof RelayEvent.PausesChanged changed) {
      return changed.pauses().isEmpty()
          ? "nothing is paused any more"
          : "is paused in part or in whole until an operator resumes it: "
              + Printable.text(
                  changed.pauses().stream().map(Paused::toString).sorted().collect(joining("; ")));
    }
    return ofSubscription(event);
  }

  private static String ofSubscription(RelayEvent event) {
    if (event instanceof RelayEvent.LeaseTaken taken) {
      return "took the lease and continues from " + at(taken.from());
    }
    if (event instanceof RelayEvent.LeaseLost lost) {
      return ("lost the lease with %s in flight; the next owner continues from the last saved"
              + " position: %s")
          .formatted(Printable.count(lost.inFlight(), "message"), Printable.text(lost.reason()));
    }
    if (event instanceof RelayEvent.Moved moved) {
      return "the subscription was moved on request, with %s in flight"
          .formatted(Printable.count(moved.inFlight(), "message"));
    }
    if (event instanceof RelayEvent.LeaseReleased released) {
      return "released the lease at " + at(released.at());
    }
    if (event instanceof RelayEvent.Saved saved) {
      return "saved %s; %s published, %s skipped"
          .formatted(at(saved.frontier()), saved.published(), saved.filtered());
    }
    if (event instanceof RelayEvent.HolesDropped dropped) {
      return "no longer waits for positions %s: the transactions that drew them have rolled back"
          .formatted(dropped.holes());
    }
    if (event instanceof RelayEvent.TooManyOpen open) {
      return ErrorCode.TOO_MANY_OPEN.code()
          + " stopped reading because "
          + Printable.count(open.ranges(), "range")
          + " of positions are open; end the blocking transaction: "
          + Printable.text(open.blockers());
    }
    if (event instanceof RelayEvent.ReadsOn on) {
      return "resumed reading with %s of positions open"
          .formatted(Printable.count(on.ranges(), "range"));
    }
    if (event instanceof RelayEvent.ParkedElsewhere elsewhere) {
      return ("%s parked in route %s, a handler or destination that this relay does not have, until"
              + " a relay that has it runs or an operator discards them")
          .formatted(
              elsewhere.messages() == 1 ? "1 message is" : elsewhere.messages() + " messages are",
              Printable.value(elsewhere.route()));
    }
    if (event instanceof RelayEvent.StandsBy standsBy) {
      String reason = standsBy.reason();
      return reason == null
          ? "is on standby; another relay may own the subscription"
          : "waits: " + Printable.text(reason);
    }
    if (event instanceof RelayEvent.StoreFailed failed) {
      return "the database failed; reloading the cursor: " + Printable.text(failed.reason());
    }
    if (event instanceof RelayEvent.Refused refused) {
      return "stopped publishing until this is fixed: " + Printable.text(refused.reason());
    }
    return event instanceof RelayEvent.Closed ? "was closed" : Printable.text(event);
  }

  private static String at(Frontier frontier) {
    String open =
        frontier.open().isEmpty() ? "" : " (not done yet up to there: " + frontier.open() + ")";
    return "position " + frontier.high() + open;
  }

  private static String list(Set<Declaration> declarations) {
    return Printable.text(
        declarations.stream().map(Declaration::toString).sorted().collect(joining("; ")));
  }

  private static String in(String route) {
    return route.isEmpty() ? "" : " of route " + Printable.value(route);
  }
}
