// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.publish.Outcome;
import io.outledger.servers.PulsarServer;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.pulsar.client.api.AuthenticationFactory;
import org.apache.pulsar.client.api.ClientBuilder;
import org.junit.jupiter.api.Test;

/** Which servers a publisher believes. */
final class PulsarTlsIT {

  private static final Duration DELIVERY_TIME_MAX = Duration.ofSeconds(8);

  /** An address of this machine that is not among the names of the certificate. */
  private static final String OTHER_NAME = "127.1";

  private final PulsarServer server = SharedPulsar.server();

  private Outcome publish(String host, UnaryOperator<ClientBuilder> settings) {
    PulsarCluster cluster =
        PulsarCluster.at(server.tlsUrl(host))
            .client(
                client ->
                    settings.apply(
                        client.authentication(
                            AuthenticationFactory.token(PulsarServer.token(PulsarServer.ADMIN)))));
    Message message = Message.to(SharedPulsar.newTopic(), "t").build();
    try (Sender sender = new Sender(PulsarPublisher.to(cluster), DELIVERY_TIME_MAX)) {
      return sender.sendAll(List.of(message)).get(0);
    }
  }

  private ClientBuilder trusting(ClientBuilder client) {
    return client.tlsTrustCertsFilePath(server.certificate().certificate().toString());
  }

  private static void assertUnreachable(Outcome outcome) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Unavailable.class,
            unavailable -> assertThat(unavailable.isFateKnown()).isTrue());
  }

  @Test
  void certificateThatIsTrustedIsAcceptedAndAnotherIsNot() {
    assertThat(publish("127.0.0.1", this::trusting)).isEqualTo(Outcome.PUBLISHED);
    assertUnreachable(publish("127.0.0.1", UnaryOperator.identity()));
  }

  @Test
  void trustedCertificateOfAnotherHostIsRefused() {
    assertUnreachable(publish(OTHER_NAME, this::trusting));
    // For those who say that they want no check.
    assertThat(publish(OTHER_NAME, client -> trusting(client).enableTlsHostnameVerification(false)))
        .isEqualTo(Outcome.PUBLISHED);
  }
}
