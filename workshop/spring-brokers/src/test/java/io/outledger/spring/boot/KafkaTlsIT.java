// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.servers.KafkaBroker;
import io.outledger.servers.ServerCertificate;
import io.outledger.spring.contract.BrokerRoundTrip;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** A Kafka that speaks TLS, trusted in each of the ways in which Boot's own clients trust. */
class KafkaTlsIT extends BrokerRoundTrip {

  private static final ServerCertificate CERTIFICATE = ServerCertificate.create();
  private static final KafkaBroker BROKER = KafkaBroker.builder().tls(CERTIFICATE).start();

  @AfterAll
  static void close() {
    BROKER.close();
    CERTIFICATE.close();
  }

  @Test
  void itsTrustStoreIsTaken() {
    travels(
        properties(
            "store",
            "spring.kafka.security.protocol=SSL",
            "spring.kafka.ssl.trust-store-type=PEM",
            "spring.kafka.ssl.trust-store-location=file:" + CERTIFICATE.certificate()));
  }

  @Test
  void itsBundleIsTaken() {
    travels(
        properties(
            "bundle",
            "spring.kafka.security.protocol=SSL",
            "spring.kafka.ssl.bundle=kafka",
            "spring.ssl.bundle.pem.kafka.truststore.certificate=file:"
                + CERTIFICATE.certificate()));
  }

  @Test
  void aBundleOfOutledgersPropertiesMeansTls() {
    travels(
        properties(
            "own",
            "outledger.publishers.orders.kafka.ssl-bundle=kafka",
            "outledger.receivers.billing.kafka.ssl-bundle=kafka",
            "spring.ssl.bundle.pem.kafka.truststore.certificate=file:"
                + CERTIFICATE.certificate()));
  }

  private static List<String> properties(String topic, String... more) {
    BROKER.createTopic(topic, 1, Map.of());
    List<String> all =
        documented(
            "kafka",
            "spring.kafka.bootstrap-servers=" + BROKER.tlsServers(),
            "outledger.publishers.orders.kafka.topic=" + topic,
            "outledger.receivers.billing.kafka.topics=" + topic);
    all.addAll(List.of(more));
    return all;
  }
}
