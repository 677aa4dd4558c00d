// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.Outcome;
import io.outledger.servers.Artemis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The broker that the tests of this JVM share. */
final class SharedArtemis {

  private static final Artemis BROKER = Artemis.start("AMQP");
  private static final AtomicInteger NAMES = new AtomicInteger();

  private SharedArtemis() {}

  /** Returns the name of a queue that nobody has used. */
  static String newName() {
    return "test.n" + NAMES.incrementAndGet();
  }

  static Artemis server() {
    return BROKER;
  }

  static int port() {
    return BROKER.port();
  }

  static AmqpBroker broker() {
    return broker(port());
  }

  static AmqpBroker broker(int port) {
    return AmqpBroker.at("127.0.0.1", port)
        .client(client -> client.user(Artemis.USER).password(Artemis.PASSWORD));
  }

  /** Kills the broker and starts it again on its data. */
  static void crash() {
    BROKER.crash(SharedArtemis::takesMessages);
  }

  private static boolean takesMessages() {
    Message probe = Message.to("test.probe", "probe").build();
    AmqpPublisher publisher = AmqpPublisher.to(broker()).capability("queue");
    try (Sender sender = new Sender(publisher, Duration.ofSeconds(3))) {
      return sender.sendAll(List.of(probe)).equals(List.of(Outcome.PUBLISHED));
    } catch (DestinationUnavailableException e) {
      return false;
    }
  }
}
