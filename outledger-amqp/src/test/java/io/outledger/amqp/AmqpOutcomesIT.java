// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcome.Rejected.Kind;
import io.outledger.servers.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Modified;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.messaging.Released;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a broker may answer and Artemis does not: each outcome, and each way to end a link. */
class AmqpOutcomesIT {

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofSeconds(2);

  private static Message message(String topic) {
    return Message.to(topic, "order.placed").key("a").payload(new byte[100]).build();
  }

  private static List<Message> messages(int count) {
    return IntStream.range(0, count).mapToObj(i -> message("orders")).toList();
  }

  private static void accept(IncomingDelivery delivery) {
    delivery.disposition(Accepted.getInstance(), true);
  }

  private static Rejected rejected(@Nullable String condition) {
    return condition == null
        ? new Rejected()
        : new Rejected(new ErrorCondition(condition, "the reason"));
  }

  private static Outcome.Rejected rejected(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Rejected.class);
    return (Outcome.Rejected) outcome;
  }

  static Stream<Arguments> answers() {
    return Stream.of(
        Arguments.of(Released.getInstance(), Kind.TOPIC, "released"),
        Arguments.of(new Modified(true, false), Kind.TOPIC, "gave it back"),
        Arguments.of(new Modified(true, true), Kind.SUSPECT, "gave it back"),
        Arguments.of(rejected((String) null), Kind.SUSPECT, "no reason"),
        Arguments.of(rejected("x:failed"), Kind.SUSPECT, "the reason"),
        Arguments.of(rejected("amqp:not-allowed"), Kind.SUSPECT, "the reason"),
        Arguments.of(rejected("amqp:unauthorized-access"), Kind.TOPIC, "the reason"),
        Arguments.of(rejected("amqp:resource-limit-exceeded"), Kind.TOPIC, "the reason"),
        Arguments.of(rejected("com.microsoft:server-busy"), Kind.TOPIC, "the reason"),
        Arguments.of(rejected("amqp:link:message-size-exceeded"), Kind.DEFINITE, "the reason"),
        Arguments.of(rejected("amqp:decode-error"), Kind.DEFINITE, "the reason"));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void whatIsNotAcceptedHasAReasonAndTheClientGoesOn(DeliveryState state, Kind kind, String text)
      throws Exception {
    AtomicInteger count = new AtomicInteger();
    ScriptedBroker.Script second =
        delivery -> {
          if (count.incrementAndGet() == 2) {
            delivery.disposition(state, true);
          } else {
            accept(delivery);
          }
        };
    try (ScriptedBroker broker = new ScriptedBroker(second);
        Sender sender = new Sender(AmqpPublisher.to(broker.broker()), LONG)) {
      assertThat(sender.sendAll(messages(1))).containsExactly(Outcome.PUBLISHED);
      Outcome.Rejected outcome = rejected(sender.sendAll(messages(1)).get(0));
      assertThat(outcome.kind()).isEqualTo(kind);
      assertThat(outcome.reason()).contains(text).contains("'orders'");
      assertThat(sender.sendAll(messages(1))).containsExactly(Outcome.PUBLISHED);
    }
  }

  @Test
  void outcomeThatTheBrokerDoesNotSettleIsSettledHere() throws Exception {
    AtomicInteger settled = new AtomicInteger();
    ScriptedBroker.Script unsettled =
        delivery -> {
          delivery.deliveryStateUpdatedHandler(
              updated -> {
                if (updated.isRemotelySettled()) {
                  settled.incrementAndGet();
                }
              });
          delivery.disposition(Accepted.getInstance(), false);
        };
    try (ScriptedBroker broker = new ScriptedBroker(unsettled);
        Sender sender = new Sender(AmqpPublisher.to(broker.broker()), LONG)) {
      assertThat(sender.sendAll(messages(20))).containsOnly(Outcome.PUBLISHED);
    }
    assertThat(settled).hasValue(20);
  }

  /** What waits for credit must not get through where an earlier message did not. */
  @Test
  void whatWaitsBehindAMessageThatWasNotTakenIsNotSent() throws Exception {
    List<IncomingDelivery> orders = new CopyOnWriteArrayList<>();
    ScriptedBroker.Script oneAtATime =
        new ScriptedBroker.Script() {
          @Override
          public void attach(Receiver link) {
            ScriptedBroker.open(link, 1);
          }

          @Override
          public void deliver(IncomingDelivery delivery) {
            if (isTo("orders", delivery)) {
              orders.add(delivery);
            } else { // it was handed over last, so the other one waits by now
              accept(delivery);
              orders.get(0).disposition(Released.getInstance(), true);
              orders.get(0).getLink().addCredit(1);
            }
          }
        };
    try (ScriptedBroker broker = new ScriptedBroker(oneAtATime);
        Sender sender = new Sender(AmqpPublisher.to(broker.broker()), LONG)) {
      List<Outcome> outcomes =
          sender.sendAll(List.of(message("orders"), message("orders"), message("mails")));
      assertThat(rejected(outcomes.get(0)).kind()).isEqualTo(Kind.TOPIC);
      assertThat(rejected(outcomes.get(1)).kind()).isEqualTo(Kind.TOPIC);
      assertThat(outcomes.get(2)).isEqualTo(Outcome.PUBLISHED);
    }
    assertThat(orders).hasSize(1);
  }

  private static boolean isTo(String address, IncomingDelivery delivery) {
    Target target = delivery.getLink().getRemoteTarget();
    return address.equals(target.getAddress());
  }

  /** As Service Bus and RabbitMQ announce it. */
  @Test
  void messageAboveTheLinksLimitIsNotSent() throws Exception {
    List<Integer> sizes = new CopyOnWriteArrayList<>();
    ScriptedBroker.Script limited =
        new ScriptedBroker.Script() {
          @Override
          public void attach(Receiver link) {
            link.setMaxMessageSize(UnsignedLong.valueOf(2_000));
            ScriptedBroker.open(link, ScriptedBroker.MUCH);
          }

          @Override
          public void deliver(IncomingDelivery delivery) {
            sizes.add(delivery.available());
            accept(delivery);
          }
        };
    Message large = message("orders").copy().payload(new byte[2_000]).build();
    try (ScriptedBroker broker = new ScriptedBroker(limited);
        Sender sender = new Sender(AmqpPublisher.to(broker.broker()), LONG)) {
      List<Outcome> outcomes = sender.sendAll(List.of(message("orders"), large, message("orders")));
      assertThat(outcomes.get(0)).isEqualTo(Outcome.PUBLISHED);
      assertThat(rejected(outcomes.get(1)).kind()).isEqualTo(Kind.DEFINITE);
      assertThat(rejected(outcomes.get(1)).reason()).contains("2000");
      assertThat(outcomes.get(2)).isEqualTo(Outcome.PUBLISHED);
    }
    assertThat(sizes).hasSize(2).allMatch(size -> size <= 2_000);
  }

  /** Service Bus ends a link that has been idle for ten minutes. */
  @Test
  void idleLinkThatTheBrokerEndsIsOpenedAgain() throws Exception {
    AtomicInteger ended = new AtomicInteger();
    ScriptedBroker.Script forgetful =
        new ScriptedBroker.Script() {
          @Override
          public void attach(Receiver link) {
            ScriptedBroker.open(link, ScriptedBroker.MUCH);
            link.closeHandler(closed -> ended.incrementAndGet());
          }

          @Override
          public void deliver(IncomingDelivery delivery) {
            accept(delivery);
            end(delivery.getLink(), "amqp:link:detach-forced");
          }
        };
    try (ScriptedBroker broker = new ScriptedBroker(forgetful);
        Sender sender = new Sender(AmqpPublisher.to(broker.broker()), LONG)) {
      for (int i = 1; i <= 5; i++) {
        int count = i;
        assertThat(sender.sendAll(messages(1))).containsExactly(Outcome.PUBLISHED);
        Await.until("the client knows", LONG, () -> ended.get() == count);
      }
    }
  }

  private static void end(Receiver link, String condition) {
    link.setCondition(new ErrorCondition(condition, "the reason")).close();
  }

  @Test
  void linkThatIsEndedWithMessagesOnTheirWayEndsTheClientSinceTheirFateIsUnknown()
      throws Exception {
    AtomicInteger count = new AtomicInteger();
    ScriptedBroker.Script rude =
        delivery -> {
          if (count.incrementAndGet() == 3) {
            end(delivery.getLink(), "amqp:link:detach-forced");
          }
        };
    try (ScriptedBroker broker = new ScriptedBroker(rude);
        Sender sender = new Sender(AmqpPublisher.to(broker.broker()), LONG)) {
      assertThat(sender.sendAll(messages(5))).allMatch(AmqpOutcomesIT::isOfUnknownFate);
      assertThat(sender.sendAll(messages(1))).allMatch(AmqpOutcomesIT::isOfUnknownFate);
    }
  }

  private static boolean isUnanswered(Outcome outcome) {
    return outcome instanceof Outcome.Unavailable away
        && away.kind() == Outcome.Unavailable.Kind.UNANSWERED;
  }

  private static boolean isOfUnknownFate(Outcome outcome) {
    return outcome instanceof Outcome.Unavailable away && !away.isFateKnown();
  }

  @Test
  void addressThatIsDeletedIsToBlameForWhatIsOnItsWay() throws Exception {
    ScriptedBroker.Script deleting =
        delivery -> {
          if (isTo("orders", delivery)) {
            end(delivery.getLink(), "amqp:resource-deleted");
          } else {
            accept(delivery);
          }
        };
    try (ScriptedBroker broker = new ScriptedBroker(deleting);
        Sender sender = new Sender(AmqpPublisher.to(broker.broker()), LONG)) {
      List<Outcome> outcomes =
          sender.sendAll(List.of(message("orders"), message("mails"), message("orders")));
      assertThat(rejected(outcomes.get(0)).kind()).isEqualTo(Kind.TOPIC);
      assertThat(outcomes.get(1)).isEqualTo(Outcome.PUBLISHED);
      assertThat(rejected(outcomes.get(2)).kind()).isEqualTo(Kind.TOPIC);
    }
  }

  /** Otherwise the same would happen again and again. */
  @Test
  void largestMessageIsToBlameWhereTheBrokerEndsTheLinkForItsSize() throws Exception {
    AtomicInteger count = new AtomicInteger();
    ScriptedBroker.Script rude =
        delivery -> {
          if (count.incrementAndGet() == 3) {
            end(delivery.getLink(), "amqp:link:message-size-exceeded");
          }
        };
    Message large = message("orders").copy().payload(new byte[5_000]).build();
    try (ScriptedBroker broker = new ScriptedBroker(rude);
        Sender sender = new Sender(AmqpPublisher.to(broker.broker()), LONG)) {
      List<Outcome> outcomes = sender.sendAll(List.of(message("orders"), large, message("orders")));
      assertThat(rejected(outcomes.get(1)).kind()).isEqualTo(Kind.DEFINITE);
      assertThat(List.of(outcomes.get(0), outcomes.get(2)))
          .allMatch(AmqpOutcomesIT::isOfUnknownFate);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void messageThatTheBrokerCannotReadIsFoundWhenItIsAlone(boolean isLink) throws Exception {
    ErrorCondition error = new ErrorCondition("amqp:decode-error", "what is this?");
    ScriptedBroker.Script fragile =
        delivery -> {
          if (isLink) {
            delivery.getLink().setCondition(error).close();
          } else {
            delivery.getLink().getConnection().setCondition(error).close();
          }
        };
    try (ScriptedBroker broker = new ScriptedBroker(fragile)) {
      try (Sender sender = new Sender(AmqpPublisher.to(broker.broker()), LONG)) {
        assertThat(rejected(sender.sendAll(messages(1)).get(0)).kind()).isEqualTo(Kind.SUSPECT);
      }
    }
    AtomicInteger delivered = new AtomicInteger();
    ScriptedBroker.Script atTheSecond =
        delivery -> {
          if (delivered.incrementAndGet() == 2) { // both are on their way
            fragile.deliver(delivery);
          }
        };
    try (ScriptedBroker broker = new ScriptedBroker(atTheSecond);
        Sender sender = new Sender(AmqpPublisher.to(broker.broker()), LONG)) {
      assertThat(sender.sendAll(messages(2))).allMatch(AmqpOutcomesIT::isOfUnknownFate);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void linkThatIsRefusedIsTheAddresssFaultHoweverItIsRefused(boolean isShownFirst)
      throws Exception {
    ScriptedBroker.Script refusing =
        new ScriptedBroker.Script() {
          @Override
          public void attach(Receiver link) {
            if (isShownFirst) {
              ScriptedBroker.open(link, 0);
            } else {
              link.setSource(link.getRemoteSource()).open();
            }
            end(link, "x:some-other");
          }

          @Override
          public void deliver(IncomingDelivery delivery) {
            throw new AssertionError("nothing may be sent");
          }
        };
    try (ScriptedBroker broker = new ScriptedBroker(refusing);
        Sender sender = new Sender(AmqpPublisher.to(broker.broker()), LONG)) {
      List<Outcome> outcomes = sender.sendAll(messages(3));
      assertThat(outcomes).allMatch(one -> rejected(one).kind() == Kind.TOPIC);
      assertThat(rejected(outcomes.get(0)).reason()).contains("the reason");
    }
  }

  /** A relay that probes sends one message, so other addresses must not wait for this one. */
  @Test
  void linkThatIsEndedAtEachMessageIsTheAddresssFaultWhereOneIsSent() throws Exception {
    ScriptedBroker.Script rude =
        delivery -> {
          if (isTo("orders", delivery)) {
            end(delivery.getLink(), "amqp:internal-error");
          } else {
            accept(delivery);
          }
        };
    try (ScriptedBroker broker = new ScriptedBroker(rude)) {
      try (Sender sender = new Sender(AmqpPublisher.to(broker.broker()), LONG)) {
        for (int i = 0; i < 3; i++) {
          assertThat(rejected(sender.sendAll(messages(1)).get(0)).kind()).isEqualTo(Kind.TOPIC);
          assertThat(sender.sendAll(List.of(message("mails")))).containsExactly(Outcome.PUBLISHED);
        }
      }
      try (Sender sender = new Sender(AmqpPublisher.to(broker.broker()), LONG)) {
        assertThat(sender.sendAll(messages(2))).allMatch(AmqpOutcomesIT::isOfUnknownFate);
      }
    }
  }

  @Test
  void addressThatNeverOpensItsLinkOrNeverSettlesIsUnanswered() throws Exception {
    ScriptedBroker.Script silent =
        new ScriptedBroker.Script() {
          @Override
          public void attach(Receiver link) {
            // It is never opened.
          }

          @Override
          public void deliver(IncomingDelivery delivery) {
            throw new AssertionError("nothing may be sent");
          }
        };
    try (ScriptedBroker never = new ScriptedBroker(silent);
        ScriptedBroker unsettled = new ScriptedBroker(delivery -> {});
        Sender first = new Sender(AmqpPublisher.to(never.broker()), SHORT);
        Sender second = new Sender(AmqpPublisher.to(unsettled.broker()), SHORT)) {
      for (int i = 0; i < 2; i++) { // as a probe is alone
        assertThat(first.sendAll(messages(1))).allMatch(AmqpOutcomesIT::isUnanswered);
        assertThat(second.sendAll(messages(1))).allMatch(AmqpOutcomesIT::isUnanswered);
      }
    }
  }
}
