// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.inbox.Received;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.Outcome;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.Artemis;
import io.outledger.servers.Await;
import io.outledger.servers.TlsCertificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class AmqpTlsIT {

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final TlsCertificate CERTIFICATE = TlsCertificate.ofLoopback();
  private static final TlsCertificate OTHER = TlsCertificate.ofLoopback();
  private static final TlsCertificate OF_ANOTHER_HOST = TlsCertificate.ofHost("mail.example.org");
  private static final Artemis BROKER = Artemis.start("AMQP", CERTIFICATE);

  @AfterAll
  static void stop() {
    BROKER.close();
  }

  private static AmqpBroker broker(int port, TlsCertificate trusted) {
    return AmqpBroker.at("127.0.0.1", port)
        .client(
            client -> {
              client.sslOptions().sslEnabled(true).sslContextOverride(trusted.context());
              return client.user(Artemis.USER).password(Artemis.PASSWORD);
            });
  }

  private static AmqpPublisher publisher(AmqpBroker broker) {
    return AmqpPublisher.to(broker).capability("queue");
  }

  @Test
  void messagesGoThroughTls() {
    AmqpBroker trusting = broker(BROKER.port(), CERTIFICATE);
    Message message = Message.to("test.tls", "order.placed").build();
    try (Sender sender = new Sender(publisher(trusting), LONG)) {
      assertThat(sender.sendAll(List.of(message))).containsExactly(Outcome.PUBLISHED);
    }
    List<Received> received = new CopyOnWriteArrayList<>();
    AmqpReceiver receiver = AmqpReceiver.from(trusting, "test.tls").capability("queue");
    try (RunningReceiver running = receiver.start(received::addAll)) {
      Await.until("it arrives", LONG, () -> !received.isEmpty());
      assertThat(running.isRunning()).isTrue();
    }
    assertThat(received.get(0).id()).isEqualTo(message.id().toString());
  }

  @Test
  void brokerWithACertificateThatNobodyTrustsIsNotSpokenTo() {
    assertThatThrownBy(() -> new Sender(publisher(broker(BROKER.port(), OTHER)), LONG))
        .isInstanceOf(DestinationUnavailableException.class)
        .hasMessageContaining("127.0.0.1");
  }

  @Test
  void brokerWithTheCertificateOfAnotherHostIsNotSpokenTo() {
    try (Artemis impostor = Artemis.start("AMQP", OF_ANOTHER_HOST)) {
      AmqpPublisher publisher = publisher(broker(impostor.port(), OF_ANOTHER_HOST));
      assertThatThrownBy(() -> new Sender(publisher, LONG))
          .isInstanceOf(DestinationUnavailableException.class)
          .hasMessageContaining("127.0.0.1");
    }
  }
}
