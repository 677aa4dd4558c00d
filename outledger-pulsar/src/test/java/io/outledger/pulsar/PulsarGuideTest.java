// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.BatchHandler;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import org.apache.pulsar.client.api.AuthenticationFactory;
import org.junit.jupiter.api.Test;

/** The programs of docs/pulsar.md. */
final class PulsarGuideTest {

  private static PulsarCluster cluster(String token) {
    PulsarCluster pulsar =
        PulsarCluster.at("pulsar+ssl://pulsar-1:6651,pulsar-2:6651")
            .client(
                client ->
                    client
                        .authentication(AuthenticationFactory.token(token))
                        .tlsTrustCertsFilePath("/etc/shop/ca.pem"));

    Publisher publisher =
        PulsarPublisher.to(pulsar).source("/shop/orders").topics(topic -> "shop/orders/" + topic);
    assertThat(publisher).hasToString("PulsarPublisher[pulsar+ssl://pulsar-1:6651,pulsar-2:6651]");
    return pulsar;
  }

  private static void receive(PulsarCluster pulsar, BatchHandler handler) {
    RunningReceiver receiver =
        PulsarReceiver.of(pulsar, "shop/orders/placed", "inventory").start(handler);
    assertThat(receiver.isRunning()).isTrue();
    receiver.close();
  }

  @Test
  void programsOfThePageRunWithoutAServer() {
    receive(cluster("token"), batch -> {});
  }
}
