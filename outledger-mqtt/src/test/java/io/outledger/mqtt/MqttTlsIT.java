// SPDX-License-Identifier: Apache-2.0
package io.outledger.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.mqtt5.Mqtt5ClientBuilder;
import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.publish.Outcome;
import io.outledger.servers.Mosquitto;
import io.outledger.servers.ServerCertificate;
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

  @Test
  void certificateThatIsTrustedIsAcceptedAndAnotherIsNot() throws Exception {
    try (ServerCertificate certificate = ServerCertificate.create();
        Mosquitto broker =
            Mosquitto.start(
                "allow_anonymous true\ncertfile %s\nkeyfile %s"
                    .formatted(certificate.certificate(), certificate.key()))) {
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(certificate.trusted());
      assertThat(
              publish(
                  broker.port(),
                  client -> client.sslConfig().trustManagerFactory(trust).applySslConfig()))
          .as(broker.log())
          .isEqualTo(Outcome.PUBLISHED);
      assertThat(publish(broker.port(), Mqtt5ClientBuilder::sslWithDefaultConfig))
          .isInstanceOfSatisfying(
              Outcome.Unavailable.class, outcome -> assertThat(outcome.isFateKnown()).isTrue());
    }
  }
}
