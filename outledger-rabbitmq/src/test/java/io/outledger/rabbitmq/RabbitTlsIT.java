// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.rabbitmq.client.ConnectionFactory;
import io.outledger.ConfigurationException;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.servers.TlsCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever has a trusted certificate of another host is not the broker. */
final class RabbitTlsIT {

  private static final Duration LONG = Duration.ofSeconds(20);

  private static final TlsCertificate OF_ANOTHER = TlsCertificate.ofHost("rabbit.example.org");

  /** What was said to the server once it was trusted; -1 for nothing. */
  private final CompletableFuture<Integer> said = new CompletableFuture<>();

  /** A way to have a factory use TLS. */
  private interface Tls {
    void in(ConnectionFactory factory, SSLContext trusting) throws Exception;
  }

  private static Stream<Named<Tls>> ways() {
    return Stream.of(
        Named.of("context", (factory, trusting) -> factory.useSslProtocol(trusting)),
        Named.of(
            "sockets",
            (factory, trusting) -> factory.setSocketFactory(trusting.getSocketFactory())),
        Named.of(
            "context for each connection",
            (factory, trusting) -> {
              factory.setSocketFactory(trusting.getSocketFactory());
              factory.setSslContextFactory(name -> trusting);
            }),
        Named.of("no verification", (factory, trusting) -> factory.useTlsWithNoVerification()));
  }

  private void connect(Tls tls, Function<ConnectionFactory, RabbitBroker> made) throws Exception {
    SSLContext context = OF_ANOTHER.context();
    try (ServerSocket server =
        context
            .getServerSocketFactory()
            .createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread answering = new Thread(() -> answer(server), "tls");
      answering.setDaemon(true);
      answering.start();
      ConnectionFactory factory = new ConnectionFactory();
      factory.setHost("localhost");
      factory.setPort(server.getLocalPort());
      tls.in(factory, context);
      new RabbitSender(RabbitPublisher.to(made.apply(factory))).close();
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void trustedCertificateOfAnotherHostIsRefused(Tls tls) {
    assertThatExceptionOfType(DestinationUnavailableException.class)
        .isThrownBy(() -> connect(tls, RabbitBroker::of))
        .withStackTraceContaining("No subject alternative");
    assertThat(said).succeedsWithin(LONG).isEqualTo(-1);
  }

  @Test
  void certificateThatNobodyTrustsIsRefused() {
    assertThatExceptionOfType(DestinationUnavailableException.class)
        .isThrownBy(() -> connect((factory, none) -> factory.useSslProtocol(), RabbitBroker::of))
        .withStackTraceContaining("PKIX");
  }

  @Test
  void unverifiedBrokerIsSpokenToWhoeverItIs() {
    Tls none = (factory, trusting) -> factory.useTlsWithNoVerification();
    assertThatExceptionOfType(DestinationUnavailableException.class)
        .isThrownBy(() -> connect(none, RabbitBroker::unverified)); // which says nothing
    assertThat(said).succeedsWithin(LONG).isEqualTo((int) 'A'); // of the protocol's header
  }

  @Test
  void clientThatTrustsEverybodyByDefaultIsRefused() {
    RabbitBroker.checkTrust(ConnectionFactory.class);
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> RabbitBroker.checkTrust(OldFactory.class))
        .withMessageContaining("OUT-021")
        .withMessageContaining("RabbitBroker.unverified");
  }

  /** What matters of the class in older versions. */
  private static final class OldFactory {}

  /** Shakes hands, hears the first byte, and ends. */
  private void answer(ServerSocket server) {
    try (Socket client = server.accept()) {
      said.complete(client.getInputStream().read());
    } catch (IOException e) {
      said.complete(-1); // the client has left
    }
  }
}
