// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Frontier;
import io.outledger.receive.ReceiverEvent;
import io.outledger.receive.ReceiverListener;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import io.outledger.relay.listener.Subject;
import io.outledger.store.PauseScope;
import io.outledger.store.Paused;
import io.outledger.testing.SettableClock;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RelayProgressTest {

  private final SettableClock brokersClock = new SettableClock();
  private final ReceiverProgress receivers = new ReceiverProgress(brokersClock);
  private final RelayProgress progress = progress(TimeSource.system(), false, "");
  private final RelayListener relay = progress.listener("mail");

  private RelayProgress progress(TimeSource time, boolean wantsDestinations, String trouble) {
    return new RelayProgress(
        time,
        wantsDestinations,
        () -> trouble,
        new RelayProgress.Receivers(
            receivers, () -> Map.of("billing", receivers.words("billing"))));
  }

  @Test
  void anApplicationWithoutASerializerIsNotWell() {
    RelayProgress without = progress(TimeSource.system(), false, "cannot be made");
    assertThat(without.isWell()).isFalse();
    assertThat(without.details())
        .containsEntry("payload serializer", "cannot be made; the log has the rest");
    assertThat(progress.isWell()).isTrue();
  }

  @Test
  void aFailureIsToldByItsCodeAndNotByATextThatMayHoldSecrets() {
    relay.on(new RelayEvent.StoreFailed("OUT-016 jdbc:postgresql://db?password=hunter2 refused"));
    assertThat(progress.isWell()).isFalse();
    assertThat(progress.details())
        .containsEntry("mail", "without its database: OUT-016; the log has the rest");
    relay.on(new RelayEvent.Refused("user hunter2 may not read"));
    assertThat(progress.details().get("mail")).asString().doesNotContain("hunter2");
    relay.on(new RelayEvent.TooManyOpen(70_000, "pid 7 of hunter2"));
    assertThat(progress.details().get("mail")).asString().doesNotContain("hunter2");
    assertThat(progress.isWell()).isFalse();
  }

  @Test
  void aDestinationThatIsAwayIsADetailUnlessItIsWantedToCount() {
    SettableClock clock = new SettableClock();
    RelayProgress detail = progress(clock, false, "");
    RelayProgress counts = progress(clock, true, "");
    for (RelayProgress each : List.of(detail, counts)) {
      each.listener("kafka")
          .on(new RelayEvent.OutageBegan("", "refused by 10.0.0.1", 1, Duration.ofSeconds(1)));
    }
    assertThat(counts.isWell()).isTrue();
    clock.advance(Duration.ofSeconds(61));
    assertThat(detail.isWell()).isTrue();
    assertThat(counts.isWell()).isFalse();
    assertThat(detail.details().get("kafka"))
        .asString()
        .startsWith("starting; cannot reach the destination since ")
        .endsWith("; the log has the rest")
        .doesNotContain("10.0.0.1");
  }

  @Test
  void aBrokerThatIsAwayIsADetailUnlessItIsWantedToCount() {
    RelayProgress detail = progress(brokersClock, false, "");
    RelayProgress counts = progress(brokersClock, true, "");
    assertThat(detail.details()).containsEntry("receiver billing", "running");
    ReceiverListener billing = receivers.listener("billing");
    assertThat(detail.details()).containsEntry("receiver billing", "running");
    Duration second = Duration.ofSeconds(1);
    billing.on(new ReceiverEvent.CannotReceive("refused by 10.0.0.1", second));
    String since = brokersClock.now().truncatedTo(ChronoUnit.SECONDS).toString();
    assertThat(counts.isWell()).isTrue();
    brokersClock.advance(Duration.ofSeconds(61));
    billing.on(new ReceiverEvent.CannotReceive("refused by 10.0.0.1", second));
    assertThat(detail.isWell()).isTrue();
    assertThat(counts.isWell()).isFalse();
    assertThat(detail.details())
        .containsEntry(
            "receiver billing", "cannot receive since " + since + "; the log has the rest");
    billing.on(new ReceiverEvent.StandsBy("another one has the session of 10.0.0.1"));
    assertThat(detail.details()).containsEntry("receiver billing", "standing by");
    billing.on(new ReceiverEvent.ReceivesAgain());
    assertThat(counts.isWell()).isTrue();
    assertThat(detail.details()).containsEntry("receiver billing", "running");
  }

  @Test
  void whatCannotBeReachedIsToldAtOnceToWhoeverAsksForThatAlone() {
    RelayProgress progress = progress(brokersClock, false, "");
    ReceiverListener billing = receivers.listener("billing");
    assertThat(progress.reachesDestinations()).isTrue();
    billing.on(new ReceiverEvent.CannotReceive("refused", Duration.ofSeconds(1)));
    assertThat(progress.reachesDestinations()).isFalse();
    billing.on(new ReceiverEvent.ReceivesAgain());
    assertThat(progress.reachesDestinations()).isTrue();
    billing.on(new ReceiverEvent.Ended("OUT-018"));
    assertThat(progress.reachesDestinations()).isFalse();
    billing.on(new ReceiverEvent.Closed());
    assertThat(progress.reachesDestinations()).isTrue();
    progress
        .listener("kafka")
        .on(new RelayEvent.OutageBegan("", "refused", 1, Duration.ofSeconds(1)));
    assertThat(progress.reachesDestinations()).isFalse();
    assertThat(progress.isWell()).isTrue();
  }

  /** As a relay that is refused: nothing but a start brings it back. */
  @Test
  void aReceiverThatHasEndedIsNotWellUntilItIsStartedAgain() {
    RelayProgress progress = progress(brokersClock, false, "");
    ReceiverListener billing = receivers.listener("billing");
    billing.on(new ReceiverEvent.Ended("OUT-018 the inbox of 10.0.0.1 forgets too soon"));
    assertThat(progress.isWell()).isFalse();
    assertThat(progress.details())
        .containsEntry("receiver billing", "ended: OUT-018; the log has the rest");
    billing.on(new ReceiverEvent.Closed());
    assertThat(progress.isWell()).isTrue();
  }

  @Test
  void aReceiverThatIsClosedWhileItsBrokerIsAwayIsNotMissed() {
    RelayProgress counts = progress(brokersClock, true, "");
    ReceiverListener billing = receivers.listener("billing");
    billing.on(new ReceiverEvent.CannotReceive("refused", Duration.ofSeconds(1)));
    brokersClock.advance(Duration.ofSeconds(61));
    assertThat(counts.isWell()).isFalse();
    billing.on(new ReceiverEvent.Closed());
    assertThat(counts.isWell()).isTrue();
  }

  /** Nothing of the type is received then, for as long as its handler fails. */
  @Test
  void aReceiverWhoseBreakerIsOpenSaysSoUntilItIsClosed() {
    RelayProgress progress = progress(brokersClock, false, "");
    ReceiverListener billing = receivers.listener("billing");
    billing.on(new ReceiverEvent.BreakerOpened("orders", "order.placed", "no table at 10.0.0.1"));
    assertThat(progress.details())
        .extractingByKey("receiver billing")
        .asString()
        .startsWith("running; breaker open for order.placed from orders since ")
        .endsWith("; the log has the rest");
    assertThat(progress.isWell()).isTrue();
    assertThat(progress.relays()).isEmpty();
    billing.on(new ReceiverEvent.BreakerClosed("orders", "order.placed"));
    assertThat(progress.details()).containsEntry("receiver billing", "running");
    billing.on(new ReceiverEvent.BreakerOpened("orders", "order.placed", "no table"));
    billing.on(new ReceiverEvent.Closed());
    assertThat(progress.details()).containsEntry("receiver billing", "running");
  }

  /** Nobody has connected to a destination that has had nothing to take. */
  @Test
  void aRelayThatHasTriedNothingIsNotSaidToReachItsDestination() {
    RelayEvent.LeaseTaken taken = new RelayEvent.LeaseTaken(new UUID(1, 2), Frontier.START);
    Subject message = new Subject(new UUID(1, 3), null, 7, "");
    for (RelayEvent tried :
        List.of(
            new RelayEvent.Saved(Frontier.START, 1, 0),
            new RelayEvent.Parked(message, 1, "no"),
            new RelayEvent.Recovered(message, 2),
            new RelayEvent.Died(message, 5, "no"))) {
      relay.on(taken);
      relay.on(new RelayEvent.Saved(Frontier.START, 0, 3));
      relay.on(new RelayEvent.Parked(message, 0, "too many"));
      assertThat(progress.relays()).containsEntry("mail", "running; nothing tried yet");
      assertThat(progress.isWell()).isTrue();
      relay.on(tried);
      assertThat(progress.relays()).containsEntry("mail", "running");
    }
  }

  /** As the view outledger_lag and the log say. */
  @Test
  void aRelayThatKeepsMessagesBackSaysSo() {
    RelayProgress progress = progress(brokersClock, false, "");
    RelayListener relay = progress.listener("handlers");
    relay.on(new RelayEvent.LeaseTaken(new UUID(1, 2), Frontier.START));
    relay.on(new RelayEvent.BreakerOpened("mail", "orders", "order.placed", "no table"));
    assertThat(progress.relays())
        .extractingByKey("handlers")
        .asString()
        .startsWith("running; breaker open for order.placed to orders of route mail since ")
        .endsWith("; the log has the rest");
    relay.on(new RelayEvent.BreakerClosed("mail", "orders", "order.placed", true));
    Paused paused = new Paused(PauseScope.route("mail"), "anna", "maintenance", Instant.EPOCH);
    relay.on(new RelayEvent.PausesChanged(Set.of(paused)));
    assertThat(progress.relays())
        .containsEntry(
            "handlers", "running; an operator has paused route mail; the log has the rest");
    assertThat(progress.isWell()).isTrue();
    relay.on(new RelayEvent.PausesChanged(Set.of()));
    assertThat(progress.relays()).containsEntry("handlers", "running");
  }

  /** Each partition has a lease, a database session and destinations of its own. */
  @Test
  void whatOnePartitionTellsSaysNothingOfAnother() {
    RelayProgress progress = progress(brokersClock, true, "");
    RelayListener all = progress.listener("invoices");
    RelayListener first = all.ofPartition(1);
    RelayListener second = all.ofPartition(2);
    RelayListener third = all.ofPartition(3);
    RelayEvent.LeaseTaken taken = new RelayEvent.LeaseTaken(new UUID(1, 2), Frontier.START);
    assertThat(progress.relays()).containsEntry("invoices", "starting");
    List.of(first, second, third).forEach(each -> each.on(taken));
    first.on(new RelayEvent.TooManyOpen(70_000, "pid 7"));
    second.on(new RelayEvent.OutageBegan("", "refused", 1, Duration.ofSeconds(1)));
    String since = brokersClock.now().truncatedTo(ChronoUnit.SECONDS).toString();
    List.of(first, second, third)
        .forEach(each -> each.on(new RelayEvent.Saved(Frontier.START, 1, 0)));
    third.on(new RelayEvent.StandsBy());
    assertThat(progress.isWell()).isFalse();
    assertThat(progress.reachesDestinations()).isFalse();
    assertThat(progress.relays())
        .containsEntry(
            "invoices",
            "partition 1: blocked: too many open positions; the log has the rest | partition 2:"
                + " running; cannot reach the destination since "
                + since
                + "; the log has the rest | partition 3: standing by");
    first.on(new RelayEvent.ReadsOn(3));
    assertThat(progress.isWell()).isTrue();
    brokersClock.advance(Duration.ofSeconds(61));
    first.on(new RelayEvent.Moved(0)); // forgets what it has told itself
    assertThat(progress.isWell()).isFalse();
    second.on(new RelayEvent.OutageOver(""));
    assertThat(progress.isWell()).isTrue();
    assertThat(progress.reachesDestinations()).isTrue();
    assertThat(progress.relays())
        .containsEntry("invoices", "partitions 1, 3: standing by | partition 2: running");
    second.on(new RelayEvent.StandsBy());
    assertThat(progress.relays()).containsEntry("invoices", "standing by");
  }

  /** What probing has not brought back is parked, message by message: nothing of it runs. */
  @Test
  void aBreakerThatClosesWithoutASuccessIsStillTold() {
    RelayListener relay = progress.listener("handlers");
    relay.on(new RelayEvent.LeaseTaken(new UUID(1, 2), Frontier.START));
    relay.on(new RelayEvent.BreakerOpened("", "orders", "order.placed", "no table"));
    relay.on(new RelayEvent.BreakerClosed("", "orders", "order.placed", false));
    assertThat(progress.relays())
        .extractingByKey("handlers")
        .asString()
        .startsWith("running; still failing, and parked: order.placed to orders since ");
    relay.on(new RelayEvent.BreakerOpened("", "orders", "order.placed", "no table"));
    assertThat(progress.relays())
        .extractingByKey("handlers")
        .asString()
        .startsWith("running; breaker open for order.placed to orders since ")
        .doesNotContain("still failing");
    relay.on(new RelayEvent.BreakerClosed("", "orders", "order.placed", false));
    relay.on(new RelayEvent.BreakerClosed("", "orders", "order.placed", true));
    assertThat(progress.relays()).containsEntry("handlers", "running");
    relay.on(new RelayEvent.BreakerOpened("", "made up", "order.placed", "no topic"));
    relay.on(new RelayEvent.BreakerForgotten("", "made up", "order.placed"));
    assertThat(progress.relays()).containsEntry("handlers", "running");
  }

  @Test
  void detailsAreBoundedAndNameNoKeys() {
    relay.on(new RelayEvent.LeaseTaken(new UUID(1, 2), Frontier.START));
    relay.on(
        new RelayEvent.PausesChanged(
            Set.of(
                new Paused(PauseScope.key("anna"), "op", "maintenance", Instant.EPOCH),
                new Paused(PauseScope.key("ben"), "op", "maintenance", Instant.EPOCH))));
    ReceiverListener billing = receivers.listener("billing");
    for (int topic = 0; topic < 1_000; topic++) {
      relay.on(new RelayEvent.BreakerOpened("", "made-up-" + topic, "order.placed", "no"));
      billing.on(new ReceiverEvent.BreakerOpened("made-up-" + topic, "order.placed", "no"));
    }
    assertThat(progress.details().get("mail"))
        .asString()
        .hasSizeLessThan(1_000)
        .endsWith("; and 990 more; an operator has paused 2 keys; the log has the rest");
    assertThat(progress.details().get("receiver billing"))
        .asString()
        .hasSizeLessThan(1_000)
        .endsWith("; and 990 more; the log has the rest");
    billing.on(new ReceiverEvent.BreakerForgotten("made-up-0", "order.placed"));
    assertThat(progress.details().get("receiver billing")).asString().contains("and 989 more");
  }
}
