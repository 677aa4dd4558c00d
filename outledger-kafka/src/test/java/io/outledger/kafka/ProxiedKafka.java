// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.servers.KafkaBroker;
import io.outledger.servers.Ports;
import io.outledger.servers.TcpProxy;

/** A broker that clients reach through a faulty line, and an observer through a way that is not. */
final class ProxiedKafka implements AutoCloseable {

  final TcpProxy line;
  final KafkaBroker broker;

  private ProxiedKafka(TcpProxy line, KafkaBroker broker) {
    this.line = line;
    this.broker = broker;
  }

  static ProxiedKafka start() {
    int port = Ports.free();
    TcpProxy line = TcpProxy.before(port);
    KafkaBroker broker =
        KafkaBroker.builder()
            .port(port)
            .setting("advertised.listeners", "CLIENT://127.0.0.1:" + line.port())
            .start();
    return new ProxiedKafka(line, broker);
  }

  /** Where clients connect; the broker sends everyone here, whoever asked elsewhere. */
  String bootstrapServers() {
    return "127.0.0.1:" + line.port();
  }

  @Override
  public void close() {
    broker.close();
    line.close();
  }
}
