// SPDX-License-Identifier: Apache-2.0
package io.outledger.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.mqtt5.Mqtt5ClientBuilder;
import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.publish.Outcome;
import io.outledger.servers.Mosquitto;
import io.outledger.servers.ServerCertificate;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;

/** A broker that speaks TLS alone. */
final class MqttTlsIT {

  private static final Duration DELIVERY_TIME_MAX = Duration.ofSeconds(10);

  private static Outcome publish(int port, UnaryOperator<Mqtt5ClientBuilder> settings) {
    MqttBroker broker = MqttBroker.at("127.0.0.1", port, "relay").client(settings);
    MqttPublisher publisher = MqttPublisher.to(broker).allowNoSubscribers();
    try (Sender sender = new Sender(publisher, DELIVERY_TIME_MAX)) {
      return sender.sendAll(List.of(Message.to("tls", "t").build())).get(0);
    }
  }

  private static Mosquitto broker(ServerCertificate certificate) {
    return Mosquitto.start(
        "allow_anonymous true\ncertfile %s\nkeyfile %s"
            .formatted(certificate.certificate(), certificate.key()));
  }

  private static Outcome publishTrusting(int port, ServerCertificate certificate)
      throws GeneralSecurityException {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(certificate.trusted());
    return publish(port, client -> client.sslConfig().trustManagerFactory(trust).applySslConfig());
  }

  private static void assertNotConnected(Outcome outcome) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Unavailable.class, away -> assertThat(away.isFateKnown()).isTrue());
  }

  @Test
  void certificateThatIsTrustedIsAcceptedAndAnotherIsNot() throws GeneralSecurityException {
    try (ServerCertificate certificate = ServerCertificate.create();
        Mosquitto broker = broker(certificate)) {
      assertThat(publishTrusting(broker.port(), certificate))
          .as(broker.log())
          .isEqualTo(Outcome.PUBLISHED);
      assertNotConnected(publish(broker.port(), Mqtt5ClientBuilder::sslWithDefaultConfig));
    }
  }

  @Test
  void certificateOfAnotherHostIsNotAccepted() throws GeneralSecurityException {
    try (ServerCertificate certificate = ServerCertificate.ofAnotherHost();
        Mosquitto broker = broker(certificate)) {
      assertNotConnected(publishTrusting(broker.port(), certificate));
    }
  }
}
