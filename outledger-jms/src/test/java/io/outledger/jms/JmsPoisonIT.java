// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.contracts.PoisonTrial;
import io.outledger.servers.Artemis;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A message whose commit the broker refuses each time, in words that say nothing of a message. */
final class JmsPoisonIT {

  private static final Duration DELIVERY_TIME_MAX = Duration.ofSeconds(20);
  private static final long LOOK_MILLIS = 1_000;
  private static final String POISON = "poison";

  private final String queue = SharedArtemis.newName();

  /** Connections to a broker that refuses each transaction in which the poison was sent. */
  private static final class RefusedCommits extends OddBroker {

    /** A sender's thread has one session. */
    private final ThreadLocal<Boolean> hasSentPoison = ThreadLocal.withInitial(() -> false);

    RefusedCommits(ConnectionFactory real) {
      super(real);
    }

    @Override
    void sends(jakarta.jms.Message message) throws JMSException {
      if (POISON.equals(message.getStringProperty("cloudEvents_partitionkey"))) {
        hasSentPoison.set(true);
      }
    }

    @Override
    void before(String method) throws JMSException {
      boolean isCommit = method.equals("commit");
      if (isCommit && hasSentPoison.get()) {
        hasSentPoison.set(false);
        throw new JMSException("Duplicate message detected");
      }
      if (method.equals("rollback")) {
        hasSentPoison.set(false);
      }
    }
  }

  private Message message(String key) {
    return Message.to(queue, "order.placed").key(key).build();
  }

  private List<String> received() throws JMSException {
    List<String> ids = new ArrayList<>();
    try (Connection connection = SharedArtemis.broker().connect();
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
      connection.start();
      MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
      jakarta.jms.Message next = consumer.receive(LOOK_MILLIS);
      while (next != null) {
        ids.add(next.getStringProperty("cloudEvents_id"));
        next = consumer.receive(LOOK_MILLIS);
      }
    }
    return ids;
  }

  @Test
  void messageWhoseCommitIsRefusedEachTimeIsParkedAndAllOthersArrive() throws Exception {
    RefusedCommits refusing = new RefusedCommits(SharedArtemis.factory(SharedArtemis.port()));
    JmsBroker broker =
        JmsBroker.of("Artemis", refusing.factory()).login(Artemis.USER, Artemis.PASSWORD);
    Message poison = message(POISON);
    List<Message> all = new ArrayList<>(List.of(poison));
    IntStream.range(0, 40).forEach(i -> all.add(message("k" + i)));
    try (PoisonTrial trial = PoisonTrial.start(JmsPublisher.toQueues(broker), DELIVERY_TIME_MAX)) {
      trial.append(all);
      all.addAll(trial.awaitOnlyParked(poison, () -> message("another")));
    }
    all.remove(poison);
    assertThat(received())
        .hasSameElementsAs(all.stream().map(each -> each.id().toString()).toList());
  }
}
