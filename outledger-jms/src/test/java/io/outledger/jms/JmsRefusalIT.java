// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.PublisherClient;
import io.outledger.servers.Artemis;
import io.outledger.servers.Await;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a queue's refusal means for the messages behind the one that was refused. */
final class JmsRefusalIT {

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final long LOOK_MILLIS = 1_000;

  private final Map<Long, Outcome> outcomes = new ConcurrentHashMap<>();
  private final Outcomes told = outcomes::put;
  private final String queue = SharedArtemis.newName();

  /** What was refused is sent again: were it there already, it would have overtaken others. */
  @AfterEach
  void brokerHasNothingThatWasNotReportedAsPublished() throws JMSException {
    try (Connection connection = SharedArtemis.broker().connect();
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
      connection.start();
      MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
      jakarta.jms.Message next = consumer.receive(LOOK_MILLIS);
      while (next != null) {
        long position = Long.parseLong(next.getStringProperty("cloudEvents_sequence"));
        assertThat(outcomes.get(position))
            .as("the outcome of position %s, which is in the queue", position)
            .isEqualTo(Outcome.PUBLISHED);
        next = consumer.receive(LOOK_MILLIS);
      }
    }
  }

  private Message message(String key) {
    return Message.to(queue, "order.placed").key(key).build();
  }

  private void awaitOutcomes(int count) {
    Await.until("all have an outcome", LONG.multipliedBy(2), () -> outcomes.size() == count);
  }

  private Outcome.Rejected.Kind kind(long position) {
    Outcome outcome = outcomes.get(position);
    assertThat(outcome).isInstanceOf(Outcome.Rejected.class);
    return ((Outcome.Rejected) outcome).kind();
  }

  private static RefusedSends refusing(JMSException refusal) {
    return new RefusedSends(SharedArtemis.factory(SharedArtemis.port()), refusal);
  }

  /** Opens a client with one session, which sends everything in its order. */
  private PublisherClient open(RefusedSends refused) {
    JmsBroker broker =
        JmsBroker.of("Artemis", refused.factory()).login(Artemis.USER, Artemis.PASSWORD);
    return JmsPublisher.toQueues(broker).sessions(1).open(LONG, told);
  }

  /** Sends a batch to a broker that refuses its first message twice, and takes what follows. */
  private void sendBehindARefusal(JMSException refusal) throws Exception {
    RefusedSends refused = refusing(refusal);
    try (PublisherClient client = open(refused)) {
      client.publish(1, 1, Message.to(SharedArtemis.newName(), "order.placed").build());
      refused.awaitFirst();
      client.publish(2, 1, message("a"));
      client.publish(3, 1, message("a"));
      client.publish(4, 1, message("b"));
      client.publish(5, 1, Message.to(SharedArtemis.newName(), "order.placed").key("a").build());
      refused.letCommit();
      awaitOutcomes(5);
    }
    assertThat(outcomes.get(1L)).isEqualTo(Outcome.PUBLISHED);
    assertThat(outcomes.get(5L)).isEqualTo(Outcome.PUBLISHED);
  }

  @Test
  void nothingGetsThroughToAQueueBehindAMessageThatItRefused() throws Exception {
    sendBehindARefusal(new ResourceAllocationException("the queue is full"));
    assertThat(kind(2)).isEqualTo(Outcome.Rejected.Kind.TOPIC);
    assertThat(kind(3)).isEqualTo(Outcome.Rejected.Kind.TOPIC);
    assertThat(kind(4)).isEqualTo(Outcome.Rejected.Kind.TOPIC);
  }

  @Test
  void refusedMessageIsNotOvertakenByTheNextOneOfItsKey() throws Exception {
    sendBehindARefusal(new JMSException("not this one"));
    assertThat(kind(2)).isEqualTo(Outcome.Rejected.Kind.SUSPECT);
    assertThat(kind(3)).isEqualTo(Outcome.Rejected.Kind.SUSPECT);
    assertThat(outcomes.get(4L)).isEqualTo(Outcome.PUBLISHED);
  }

  @Test
  void refusedMessageIsNotOvertakenByWhatWasHandedOverAndNotSent() throws Exception {
    int last = 150; // more than go into one transaction
    RefusedSends refused = refusing(new JMSException("not this one"));
    try (PublisherClient client = open(refused)) {
      client.publish(1, 1, message("b"));
      refused.awaitFirst();
      for (long position = 2; position < last; position++) {
        client.publish(position, 1, message("a"));
      }
      client.publish(last, 1, message("b"));
      client.flush();
      refused.letCommit();
      awaitOutcomes(last);
    }
    assertThat(outcomes.get((long) last)).isEqualTo(Outcome.PUBLISHED);
    for (long position = 2; position < last; position++) {
      assertThat(kind(position)).isEqualTo(Outcome.Rejected.Kind.SUSPECT);
    }
  }

  @Test
  void refusedMessageIsNotOvertakenByWhatTheRelayHandsOverBeforeItKnows() throws Exception {
    RefusedSends refused = refusing(new JMSException("not this one"));
    try (PublisherClient client = open(refused)) {
      client.publish(1, 1, message("b"));
      refused.awaitFirst();
      client.publish(2, 1, message("a"));
      refused.letCommit();
      awaitOutcomes(2);
      client.publish(3, 1, message("a"));
      awaitOutcomes(3);
      client.flush();
      client.publish(4, 1, message("a"));
      awaitOutcomes(4);
    }
    assertThat(kind(2)).isEqualTo(Outcome.Rejected.Kind.SUSPECT);
    assertThat(kind(3)).isEqualTo(Outcome.Rejected.Kind.SUSPECT);
    assertThat(outcomes.get(4L)).isEqualTo(Outcome.PUBLISHED);
  }

  @Test
  void keyIsSentAgainAfterARefusalThatTheRelayKnows() throws Exception {
    RefusedSends refused = refusing(new JMSException("not this one"));
    try (PublisherClient client = open(refused)) {
      client.publish(1, 1, message("b"));
      refused.awaitFirst();
      client.publish(2, 1, message("a"));
      client.flush();
      refused.letCommit();
      awaitOutcomes(2);
      client.publish(3, 1, message("a"));
      awaitOutcomes(3);
    }
    assertThat(kind(2)).isEqualTo(Outcome.Rejected.Kind.SUSPECT);
    assertThat(outcomes.get(3L)).isEqualTo(Outcome.PUBLISHED);
  }

  @Test
  void commitOfOthersDoesNotPublishARefusedMessageThatWasHandedOverAgain() throws Exception {
    RefusedSends refused = refusing(new JMSException("not this one"));
    try (PublisherClient client = open(refused)) {
      client.publish(1, 1, message("a").copy().header("_AMQ_DUPL_ID", "1").build());
      refused.awaitFirst();
      assertThat(kind(1)).isEqualTo(Outcome.Rejected.Kind.FINAL);
      outcomes.clear();
      client.publish(2, 1, message("a"));
      client.publish(1, 1, message("a")); // as an operator's retry does
      refused.letCommit();
      awaitOutcomes(2);
    }
    assertThat(kind(2)).isEqualTo(Outcome.Rejected.Kind.SUSPECT);
    assertThat(kind(1)).isEqualTo(Outcome.Rejected.Kind.SUSPECT);
  }

  /** Sends one message after the other, until there is one that is not taken. */
  private Outcome fill(JmsPublisher publisher) {
    Message large = Message.to(Artemis.SMALL, "x").payload(new byte[50_000]).build();
    try (PublisherClient client = publisher.open(Duration.ofSeconds(10), told)) {
      int sent = 0;
      do {
        client.publish(++sent, 1, large);
        awaitOutcomes(sent);
      } while (Outcome.PUBLISHED.equals(outcomes.get((long) sent)) && sent < 100);
      return Objects.requireNonNull(outcomes.get((long) sent));
    }
  }

  @Test
  @Tag("long")
  void queueThatHoldsUpSendersAnswersNothingAndTheNextClientSends() {
    JmsPublisher publisher = JmsPublisher.toQueues(SharedArtemis.broker());
    assertThat(fill(publisher))
        .isInstanceOfSatisfying(
            Outcome.Unavailable.class,
            away -> {
              assertThat(away.kind()).isEqualTo(Outcome.Unavailable.Kind.UNANSWERED);
              assertThat(away.reason()).contains("10 s", "full");
            });
    outcomes.clear();
    try (PublisherClient next = publisher.open(LONG, told)) {
      next.publish(1, 1, message("a"));
      Await.until("it is sent", LONG, () -> Outcome.PUBLISHED.equals(outcomes.get(1L)));
    }
  }
}
