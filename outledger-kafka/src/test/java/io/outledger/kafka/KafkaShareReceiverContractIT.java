// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.contracts.ReceiverContract;
import io.outledger.contracts.ReceiverFixture;
import io.outledger.servers.KafkaProcess;
import io.outledger.servers.Ports;
import io.outledger.servers.TcpProxy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class KafkaShareReceiverContractIT extends ReceiverContract {

  private final int port = Ports.free();
  private final TcpProxy line = TcpProxy.before(port);
  private final KafkaProcess kafka =
      KafkaProcess.builder()
          .port(port)
          .setting("advertised.listeners", "CLIENT://127.0.0.1:" + line.port())
          // A new member learns from a heartbeat what it is to receive.
          .setting("group.share.heartbeat.interval.ms", "500")
          .setting("group.share.min.heartbeat.interval.ms", "500")
          .setting("group.share.min.record.lock.duration.ms", "1000")
          .startProcess();

  @Override
  protected ReceiverFixture openFixture() {
    return new KafkaShareFixture(kafka, line);
  }

  @AfterAll
  void close() {
    kafka.close();
    line.close();
  }
}
