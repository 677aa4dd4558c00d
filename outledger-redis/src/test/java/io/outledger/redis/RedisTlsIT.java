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

  @Test
  void certificateThatIsTrustedIsAcceptedAndAnotherIsNot() {
    int port = Ports.free();
    try (ServerCertificate certificate = ServerCertificate.create();
        RedisServer redis =
            RedisServer.start(
                "--tls-port",
                Integer.toString(port),
                "--tls-cert-file",
                certificate.certificate().toString(),
                "--tls-key-file",
                certificate.key().toString(),
                "--tls-auth-clients",
                "no")) {
      RedisURI uri = RedisURI.builder().withHost("127.0.0.1").withPort(port).withSsl(true).build();
      SslOptions trusting =
          SslOptions.builder().trustManager(certificate.certificate().toFile()).build();
      assertThat(
              publish(
                  RedisPublisher.to(uri)
                      .clientOptions(ClientOptions.builder().sslOptions(trusting).build())))
          .as(redis.log())
          .isEqualTo(Outcome.PUBLISHED);
      assertThat(publish(RedisPublisher.to(uri)))
          .isInstanceOfSatisfying(
              Outcome.Unavailable.class, outcome -> assertThat(outcome.isFateKnown()).isTrue());
    }
  }
}
