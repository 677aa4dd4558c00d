// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.messaging;

import io.outledger.examples.Settings;
import io.outledger.inbox.BatchHandler;
import io.outledger.publish.Publisher;
import io.outledger.pulsar.PulsarCluster;
import io.outledger.pulsar.PulsarPublisher;
import io.outledger.pulsar.PulsarReceiver;
import io.outledger.receive.RunningReceiver;
import org.apache.pulsar.client.api.AuthenticationFactory;

/** Pulsar: a message's topic is a topic, and each service has a subscription to it. */
record PulsarMessaging(Settings settings) implements Messaging {

  @Override
  public Publisher publisher(String source) {
    return PulsarPublisher.to(cluster()).source(source);
  }

  @Override
  public RunningReceiver receive(String topic, String consumer, BatchHandler handler) {
    return PulsarReceiver.of(cluster(), topic, consumer).start(handler);
  }

  private PulsarCluster cluster() {
    String token = settings.text("pulsar.token");
    return PulsarCluster.at(settings.text("pulsar.url"))
        .client(client -> client.authentication(AuthenticationFactory.token(token)));
  }
}
