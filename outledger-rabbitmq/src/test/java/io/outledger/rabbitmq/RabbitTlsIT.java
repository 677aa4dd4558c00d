// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.rabbitmq.client.ConnectionFactory;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.servers.TlsCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

/** Whoever has a trusted certificate of another host is not the broker. */
final class RabbitTlsIT {

  @Test
  void trustedCertificateOfAnotherHostIsRefused() throws Exception {
    TlsCertificate certificate = TlsCertificate.ofHost("rabbit.example.org");
    try (ServerSocket server =
        certificate
            .context()
            .getServerSocketFactory()
            .createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread answering = new Thread(() -> answer(server), "tls");
      answering.setDaemon(true);
      answering.start();
      ConnectionFactory factory = new ConnectionFactory();
      factory.setHost("localhost");
      factory.setPort(server.getLocalPort());
      factory.useSslProtocol(certificate.context());
      assertThatExceptionOfType(DestinationUnavailableException.class)
          .isThrownBy(() -> new RabbitSender(RabbitPublisher.to(RabbitBroker.of(factory))))
          .withStackTraceContaining("No subject alternative");
    }
  }

  /** Shakes hands, and ends. */
  private static void answer(ServerSocket server) {
    try (Socket client = server.accept()) {
      var unused = client.getInputStream().read();
    } catch (IOException e) {
      Thread.currentThread().interrupt(); // the client has left, and this thread ends
    }
  }
}
