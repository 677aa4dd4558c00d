// SPDX-License-Identifier: Apache-2.0
package io.outledger.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.publish.Outcome;
import io.outledger.servers.Ports;
import io.outledger.servers.RedisServer;
import io.outledger.servers.ServerCertificate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A Redis that speaks TLS, too. */
final class RedisTlsIT {

  private static final Duration DELIVERY_TIME_MAX = Duration.ofSeconds(10);

  private static Outcome publish(RedisPublisher publisher) {
    try (Sender sender = new Sender(publisher, DELIVERY_TIME_MAX)) {
      return sender.sendAll(List.of(Message.to("tls", "t").build())).get(0);
    }
  }

  private static RedisServer redis(int port, ServerCertificate certificate) {
    return RedisServer.start(
        "--tls-port",
        Integer.toString(port),
        "--tls-cert-file",
        certificate.certificate().toString(),
        "--tls-key-file",
        certificate.key().toString(),
        "--tls-auth-clients",
        "no");
  }

  private static RedisPublisher trusting(RedisURI uri, ServerCertificate certificate) {
    SslOptions trusting =
        SslOptions.builder().trustManager(certificate.certificate().toFile()).build();
    return RedisPublisher.to(uri)
        .clientOptions(ClientOptions.builder().sslOptions(trusting).build());
  }

  private static RedisURI uri(int port) {
    return RedisURI.builder().withHost("127.0.0.1").withPort(port).withSsl(true).build();
  }

  private static void assertNotConnected(Outcome outcome) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Unavailable.class, away -> assertThat(away.isFateKnown()).isTrue());
  }

  @Test
  void certificateThatIsTrustedIsAcceptedAndAnotherIsNot() {
    int port = Ports.free();
    try (ServerCertificate certificate = ServerCertificate.create();
        RedisServer redis = redis(port, certificate)) {
      assertThat(publish(trusting(uri(port), certificate)))
          .as(redis.log())
          .isEqualTo(Outcome.PUBLISHED);
      assertNotConnected(publish(RedisPublisher.to(uri(port))));
    }
  }

  @Test
  void certificateOfAnotherHostIsNotAccepted() {
    int port = Ports.free();
    try (ServerCertificate certificate = ServerCertificate.ofAnotherHost();
        RedisServer redis = redis(port, certificate)) {
      assertThat(redis.port()).isPositive();
      assertNotConnected(publish(trusting(uri(port), certificate)));
      RedisURI open = uri(port);
      open.setVerifyPeer(false);
      assertThat(publish(RedisPublisher.unverified(open))).isEqualTo(Outcome.PUBLISHED);
    }
  }
}
