// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.publish.Outcome;
import io.outledger.servers.Await;
import io.outledger.servers.PulsarServer;
import io.outledger.servers.TlsCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.apache.pulsar.client.api.AuthenticationFactory;
import org.apache.pulsar.client.api.ClientBuilder;
import org.junit.jupiter.api.Test;

/** Which servers a publisher believes. */
final class PulsarTlsIT {

  private static final Duration DELIVERY_TIME_MAX = Duration.ofSeconds(3);

  private final PulsarServer server = SharedPulsar.server();

  private static Outcome publish(String url, UnaryOperator<ClientBuilder> settings) {
    String token = PulsarServer.token(PulsarServer.ADMIN);
    PulsarCluster cluster =
        PulsarCluster.at(url)
            .client(
                client ->
                    settings.apply(client.authentication(AuthenticationFactory.token(token))));
    Message message = Message.to(SharedPulsar.newTopic(), "t").build();
    try (Sender sender = new Sender(PulsarPublisher.to(cluster), DELIVERY_TIME_MAX)) {
      return sender.sendAll(List.of(message)).get(0);
    }
  }

  private static void assertUnreachable(Outcome outcome) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Unavailable.class,
            unavailable -> assertThat(unavailable.isFateKnown()).isTrue());
  }

  @Test
  void certificateThatIsTrustedIsAcceptedAndAnotherIsNot() {
    String certificate = server.certificate().certificate().toString();
    String url = server.tlsUrl("localhost");
    assertThat(publish(url, client -> client.tlsTrustCertsFilePath(certificate)))
        .isEqualTo(Outcome.PUBLISHED);
    assertUnreachable(publish(url, UnaryOperator.identity()));
  }

  @Test
  void trustedCertificateOfAnotherHostIsRefused() throws IOException {
    TlsCertificate certificate = TlsCertificate.ofHost("pulsar.example.org");
    UnaryOperator<ClientBuilder> trusting =
        client ->
            client
                .useKeyStoreTls(true)
                .tlsTrustStoreType("PKCS12")
                .tlsTrustStorePath(certificate.file().toString())
                .tlsTrustStorePassword(TlsCertificate.PASSWORD);
    try (Impostor impostor = new Impostor(certificate)) {
      assertUnreachable(publish(impostor.url(), trusting));
      assertThat(impostor.believed).isNotEmpty().containsOnly(false);
      // For those who say that they want no check.
      assertUnreachable(
          publish(
              impostor.url(),
              client -> trusting.apply(client).enableTlsHostnameVerification(false)));
      Await.until("it was believed", DELIVERY_TIME_MAX, () -> impostor.believed.contains(true));
    }
  }

  /** Has a good certificate of another host, and hangs up once it is believed. */
  private static final class Impostor implements AutoCloseable {

    private final SSLServerSocket listener;
    private final List<Boolean> believed = new CopyOnWriteArrayList<>();

    Impostor(TlsCertificate certificate) throws IOException {
      listener =
          (SSLServerSocket)
              certificate
                  .context()
                  .getServerSocketFactory()
                  .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
      Thread thread = new Thread(this::run, "impostor");
      thread.setDaemon(true);
      thread.start();
    }

    String url() {
      return "pulsar+ssl://localhost:" + listener.getLocalPort();
    }

    private void run() {
      while (!listener.isClosed()) {
        try (SSLSocket client = (SSLSocket) listener.accept()) {
          believed.add(isBelieved(client));
        } catch (IOException e) {
          return; // the listener was closed, which is how this ends
        }
      }
    }

    private static boolean isBelieved(SSLSocket client) throws IOException {
      try {
        client.startHandshake();
        return client.getInputStream().read() >= 0; // what follows the handshake, or an alert
      } catch (SSLException e) {
        return false;
      }
    }

    @Override
    public void close() throws IOException {
      listener.close();
    }
  }
}
