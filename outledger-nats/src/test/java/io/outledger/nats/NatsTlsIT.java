// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import static org.assertj.core.api.Assertions.assertThat;

import io.nats.client.Options;
import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.publish.Outcome;
import io.outledger.servers.ServerCertificate;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;

/** A server that speaks TLS alone. */
final class NatsTlsIT {

  private static final Duration DELIVERY_TIME_MAX = Duration.ofSeconds(10);

  private static SSLContext trusting(ServerCertificate certificate) throws Exception {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(certificate.trusted());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  private static Outcome publish(Options.Builder options, String server) {
    NatsPublisher publisher = NatsPublisher.with(options.server(server).build());
    try (Sender sender = new Sender(publisher, DELIVERY_TIME_MAX)) {
      return sender.sendAll(List.of(Message.to("tls.a", "t").build())).get(0);
    }
  }

  @Test
  void trustedCertificateOfAnotherHostIsRefused() throws Exception {
    try (ServerCertificate certificate = ServerCertificate.ofAnotherHost();
        ProxiedNats nats = start(certificate)) {
      SSLContext trusting = trusting(certificate);
      String server = nats.address().replace("nats:", "tls:");
      assertThat(publish(Options.builder().sslContext(trusting), server))
          .isInstanceOfSatisfying(
              Outcome.Unavailable.class, outcome -> assertThat(outcome.isFateKnown()).isTrue());
      // For those who say that they want no check.
      assertThat(publish(Options.builder(), server.replace("tls:", "opentls:")))
          .isInstanceOf(Outcome.Rejected.class);
    }
  }

  @Test
  void hostIsCheckedByItsName() throws Exception {
    try (ServerCertificate certificate = ServerCertificate.create();
        ProxiedNats nats = start(certificate)) {
      String server = "tls://localhost:" + nats.line.port();
      assertThat(publish(Options.builder().sslContext(trusting(certificate)), server))
          .isInstanceOf(Outcome.Rejected.class);
    }
  }

  private static ProxiedNats start(ServerCertificate certificate) {
    return ProxiedNats.start(
        "tls { cert_file: \"%s\", key_file: \"%s\" }"
            .formatted(certificate.certificate(), certificate.key()));
  }

  @Test
  void certificateThatIsTrustedIsAcceptedAndAnotherIsNot() throws Exception {
    try (ServerCertificate certificate = ServerCertificate.create();
        ProxiedNats nats = start(certificate)) {
      String server = nats.address().replace("nats:", "tls:");
      SSLContext trusting = trusting(certificate);
      // Accepted, and no stream there: the certificate was good enough for an answer.
      assertThat(publish(Options.builder().sslContext(trusting), server))
          .isInstanceOf(Outcome.Rejected.class);
      assertThat(publish(Options.builder().sslContext(SSLContext.getDefault()), server))
          .isInstanceOfSatisfying(
              Outcome.Unavailable.class, outcome -> assertThat(outcome.isFateKnown()).isTrue());
    }
  }
}
