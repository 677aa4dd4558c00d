// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.publish.Outcome;
import io.outledger.servers.PulsarServer;
import io.outledger.servers.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.pulsar.client.api.AuthenticationFactory;
import org.apache.pulsar.client.api.ClientBuilder;
import org.junit.jupiter.api.Test;

/** Which servers a publisher believes. */
final class PulsarTlsIT {

  private static final Duration SHORT = Duration.ofSeconds(3);
  private static final Duration LONG = Duration.ofSeconds(10);

  private final Message message = Message.to(SharedPulsar.newTopic(), "t").build();
  private final PulsarServer server = SharedPulsar.server();

  private static Sender sender(
      String url, Duration deliveryTimeMax, UnaryOperator<ClientBuilder> settings) {
    String token = PulsarServer.token(PulsarServer.ADMIN);
    PulsarCluster cluster =
        PulsarCluster.at(url)
            .client(
                client ->
                    settings.apply(client.authentication(AuthenticationFactory.token(token))));
    return new Sender(PulsarPublisher.to(cluster), deliveryTimeMax);
  }

  private void assertAccepted(String url, UnaryOperator<ClientBuilder> settings) {
    try (Sender sender = sender(url, LONG, settings)) {
      sender.connect(message);
    }
  }

  private void assertUnreachable(String url, UnaryOperator<ClientBuilder> settings) {
    try (Sender sender = sender(url, SHORT, settings)) {
      assertThat(sender.sendAll(List.of(message)).get(0))
          .isInstanceOfSatisfying(
              Outcome.Unavailable.class,
              unavailable -> assertThat(unavailable.isFateKnown()).isTrue());
    }
  }

  @Test
  void certificateThatIsTrustedIsAcceptedAndAnotherIsNot() {
    String certificate = server.certificate().certificate().toString();
    String url = server.tlsUrl();
    assertAccepted(url, client -> client.tlsTrustCertsFilePath(certificate));
    assertUnreachable(url, UnaryOperator.identity());
  }

  @Test
  void certificateOfAnotherHostIsNotAcceptedUnlessAskedFor() {
    String certificate = server.certificate().certificate().toString();
    // For an address, Pulsar's client checks the name that belongs to it: here, that of the tests'
    // own file of hosts.
    String address = "127.0.0.2";
    try (TcpProxy line = TcpProxy.at(address, server.tlsPort())) {
      String url = "pulsar+ssl://" + address + ":" + line.port();
      assertAccepted(
          url,
          client -> client.tlsTrustCertsFilePath(certificate).enableTlsHostnameVerification(false));
      assertUnreachable(url, client -> client.tlsTrustCertsFilePath(certificate));
    }
  }
}
