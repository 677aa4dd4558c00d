// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.contracts.PublisherContract;
import io.outledger.contracts.PublisherFixture;
import io.outledger.servers.KafkaProcess;
import io.outledger.servers.Ports;
import io.outledger.servers.TcpProxy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class KafkaPublisherContractIT extends PublisherContract {

  private final int port = Ports.free();
  private final TcpProxy line = TcpProxy.before(port);
  private final KafkaProcess kafka =
      KafkaProcess.builder()
          .port(port)
          .setting("advertised.listeners", "CLIENT://127.0.0.1:" + line.port())
          .startProcess();

  @Override
  protected PublisherFixture openFixture() {
    return new KafkaFixture(kafka, line);
  }

  @AfterAll
  void close() {
    kafka.close();
    line.close();
  }
}
