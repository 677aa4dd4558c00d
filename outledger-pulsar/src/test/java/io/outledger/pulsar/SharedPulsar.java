// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import io.outledger.servers.PulsarServer;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pulsar.client.api.AuthenticationFactory;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;

/** The server that the tests of this JVM share. */
final class SharedPulsar {

  private static final PulsarServer SERVER = PulsarServer.start();
  private static final PulsarClient OBSERVER = observer();
  private static final AtomicInteger NAMES = new AtomicInteger();

  private SharedPulsar() {}

  static PulsarServer server() {
    return SERVER;
  }

  /** Returns the name of a topic that nobody has used. */
  static String newTopic() {
    return "t" + NAMES.incrementAndGet();
  }

  /** Creates a namespace of the tenant {@code public}. */
  static void createNamespace(String name) {
    SERVER.admin("PUT", "namespaces/public/" + name, "");
  }

  /** Returns the server as it is behind the faulty line. */
  static PulsarCluster cluster() {
    return cluster(PulsarServer.token(PulsarServer.ADMIN));
  }

  static PulsarCluster cluster(String token) {
    return PulsarCluster.at(SERVER.lineUrl())
        .client(
            client ->
                client
                    .listenerName(PulsarServer.LISTENER)
                    .authentication(AuthenticationFactory.token(token)));
  }

  /** Returns a client that goes past the line. */
  static PulsarClient pulsar() {
    return OBSERVER;
  }

  private static PulsarClient observer() {
    try {
      return PulsarClient.builder()
          .serviceUrl(SERVER.url())
          .authentication(AuthenticationFactory.token(PulsarServer.token(PulsarServer.ADMIN)))
          .build();
    } catch (PulsarClientException e) {
      throw new IllegalStateException(e);
    }
  }
}
