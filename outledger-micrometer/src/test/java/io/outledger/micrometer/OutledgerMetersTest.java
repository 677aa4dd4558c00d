// SPDX-License-Identifier: Apache-2.0
package io.outledger.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.outledger.AppendListener;
import io.outledger.frontier.Frontier;
import io.outledger.inbox.InboxId;
import io.outledger.receive.ParkedReceived;
import io.outledger.receive.ReceiverEvent;
import io.outledger.receive.ReceiverListener;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import io.outledger.relay.listener.Subject;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class OutledgerMetersTest {

  private static final Duration WAIT = Duration.ofSeconds(1);

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final OutledgerMeters meters = new OutledgerMeters(registry);

  private Map<String, Double> counted(String tag, String value) {
    return registry.getMeters().stream()
        .filter(meter -> value.equals(meter.getId().getTag(tag)))
        .filter(meter -> meter.getId().getTag("route") == null)
        .collect(
            Collectors.toMap(
                meter -> meter.getId().getName(),
                meter -> meter.measure().iterator().next().getValue()));
  }

  private double seconds(String name, String... tags) {
    return registry.get(name).tags(tags).timer().totalTime(TimeUnit.SECONDS);
  }

  @Test
  void countersAreThereFromTheStart() {
    OutledgerMeters meters = new OutledgerMeters(registry);
    AppendListener appends = meters.ofAppends(); // for the builder: .appendListener(appends)
    RelayListener relay = meters.ofRelay("orders"); // for a relay's builder: .listener(relay)
    ReceiverListener receiver = meters.ofReceiver("billing"); // for a receiver: .listener(receiver)

    appends.appended(0, Duration.ZERO);
    relay.on(new RelayEvent.StandsBy()); // not counted
    receiver.on(new ReceiverEvent.BreakerClosed("orders", "placed"));
    assertThat(counted("subscription", "orders")).hasSize(7).allSatisfy(this::isZero);
    assertThat(counted("receiver", "billing")).hasSize(9).allSatisfy(this::isZero);
  }

  private void isZero(String name, double count) {
    assertThat(count).as(name).isZero();
  }

  @Test
  void relayIsCountedByItsSubscription() {
    Subject message = new Subject(new UUID(0, 1), "key", 1, "");
    RelayListener orders = meters.ofRelay("orders");
    orders.on(new RelayEvent.Saved(Frontier.START, 3, 7));
    orders.on(new RelayEvent.Saved(Frontier.START, 2, 0));
    orders.on(new RelayEvent.Parked(message, 1, "bad"));
    orders.on(new RelayEvent.Parked(message, 2, "bad"));
    orders.on(new RelayEvent.Held(message));
    orders.on(new RelayEvent.Recovered(message, 2));
    orders.on(new RelayEvent.Died(message, 10, "bad"));
    orders.on(new RelayEvent.OutageBegan("", "down", 1, WAIT));
    orders.on(new RelayEvent.Polled(WAIT));
    orders.on(new RelayEvent.Wrote(WAIT));
    orders.on(new RelayEvent.Wrote(WAIT.multipliedBy(2)));
    orders.on(new RelayEvent.Delivered("", WAIT, WAIT.multipliedBy(3)));
    orders.on(new RelayEvent.Delivered("mail", WAIT, WAIT));
    orders.on(new RelayEvent.Handled("mail", WAIT));
    orders.on(new RelayEvent.Handled("mail", WAIT));
    meters.ofRelay("mails").on(new RelayEvent.Saved(Frontier.START, 100, 0));

    assertThat(counted("subscription", "orders"))
        .containsOnly(
            Map.entry("outledger.relay.published", 5.0),
            Map.entry("outledger.relay.parked", 2.0),
            Map.entry("outledger.relay.recovered", 1.0),
            Map.entry("outledger.relay.dead.letters", 1.0),
            Map.entry("outledger.relay.outages", 1.0),
            Map.entry("outledger.relay.poll", 1.0),
            Map.entry("outledger.relay.save", 2.0));
    assertThat(seconds("outledger.relay.save", "subscription", "orders")).isEqualTo(3);
    assertThat(seconds("outledger.relay.latency", "route", "default")).isEqualTo(3);
    assertThat(seconds("outledger.relay.publish", "route", "default")).isEqualTo(1);
    assertThat(seconds("outledger.relay.latency", "route", "mail")).isEqualTo(1);
    assertThat(seconds("outledger.relay.handler", "route", "mail")).isEqualTo(2);
    assertThat(registry.find("outledger.relay.handler").tag("route", "default").timers()).isEmpty();
  }

  @Test
  void appendsAreCountedAndTimed() {
    AppendListener appends = meters.ofAppends();
    appends.appended(3, WAIT);
    appends.appended(1, WAIT);

    assertThat(registry.get("outledger.appended").counter().count()).isEqualTo(4);
    assertThat(registry.get("outledger.append").timer().count()).isEqualTo(2);
    assertThat(registry.get("outledger.append").timer().totalTime(TimeUnit.SECONDS)).isEqualTo(2);
  }

  @Test
  void receiverIsCountedByItsName() {
    ParkedReceived message =
        new ParkedReceived(1, new InboxId("/shop", "7"), "key", "", "orders", "placed", 1);
    ReceiverListener billing = meters.ofReceiver("billing");
    billing.on(new ReceiverEvent.Acknowledged(3, WAIT));
    billing.on(new ReceiverEvent.Acknowledged(4, WAIT));
    billing.on(new ReceiverEvent.Parked(message, 1, "bad", WAIT));
    billing.on(new ReceiverEvent.Held(message));
    billing.on(new ReceiverEvent.Recovered(message));
    billing.on(new ReceiverEvent.Died(message, 10, "bad"));
    billing.on(new ReceiverEvent.SetAside("orders-0@7", "no CloudEvent"));
    billing.on(new ReceiverEvent.Unavailable(message, "down", WAIT));
    meters.ofReceiver("mails").on(new ReceiverEvent.Acknowledged(100, WAIT));

    assertThat(counted("receiver", "billing"))
        .containsOnly(
            Map.entry("outledger.receiver.acknowledged", 7.0),
            Map.entry("outledger.receiver.parked", 1.0),
            Map.entry("outledger.receiver.recovered", 1.0),
            Map.entry("outledger.receiver.dead.letters", 1.0),
            Map.entry("outledger.receiver.unreadable", 1.0),
            Map.entry("outledger.receiver.outages", 1.0),
            Map.entry("outledger.receiver.away", 0.0),
            Map.entry("outledger.receiver.breakers", 0.0),
            Map.entry("outledger.receiver.effect", 2.0));
  }

  @Test
  void receiverWhoseHandlerFailsForAllOfATypeIsShown() {
    ReceiverListener billing = meters.ofReceiver("billing");
    billing.on(new ReceiverEvent.BreakerOpened("orders", "placed", "no table"));
    billing.on(new ReceiverEvent.BreakerOpened("orders", "cancelled", "no table"));
    billing.on(new ReceiverEvent.BreakerClosed("orders", "placed"));
    assertThat(counted("receiver", "billing")).containsEntry("outledger.receiver.breakers", 1.0);
    billing.on(new ReceiverEvent.BreakerOpened("made up", "placed", "no table"));
    billing.on(new ReceiverEvent.BreakerForgotten("made up", "placed"));
    assertThat(counted("receiver", "billing")).containsEntry("outledger.receiver.breakers", 1.0);
    billing.on(new ReceiverEvent.Closed());
    assertThat(counted("receiver", "billing")).containsEntry("outledger.receiver.breakers", 0.0);
  }

  @Test
  void receiverWhoseBrokerIsAwayIsShownUntilItReceivesAgain() {
    ReceiverListener billing = meters.ofReceiver("billing");
    billing.on(new ReceiverEvent.CannotReceive("refused", WAIT));
    assertThat(counted("receiver", "billing")).containsEntry("outledger.receiver.away", 1.0);
    meters.ofReceiver("billing").on(new ReceiverEvent.ReceivesAgain()); // it was started again
    assertThat(counted("receiver", "billing")).containsEntry("outledger.receiver.away", 0.0);
    billing.on(new ReceiverEvent.CannotReceive("refused", WAIT));
    billing.on(new ReceiverEvent.StandsBy("another one receives"));
    assertThat(counted("receiver", "billing")).containsEntry("outledger.receiver.away", 0.0);
    billing.on(new ReceiverEvent.Ended("OUT-018"));
    assertThat(counted("receiver", "billing")).containsEntry("outledger.receiver.away", 1.0);
    billing.on(new ReceiverEvent.Closed());
    assertThat(counted("receiver", "billing")).containsEntry("outledger.receiver.away", 0.0);
  }
}
