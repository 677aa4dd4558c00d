// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.shop;

import io.outledger.chaos.roles.RoleSettings;
import io.outledger.servers.KafkaProcess;
import io.outledger.servers.Ports;
import io.outledger.servers.TcpProxy;
import java.util.Map;

/** A Kafka that everybody reaches through one line. */
public final class Broker implements AutoCloseable {

  private static final int PARTITIONS = 3;

  private final TcpProxy line;
  private final KafkaProcess kafka;

  Broker() {
    int port = Ports.free();
    line = TcpProxy.before(port);
    kafka =
        KafkaProcess.builder()
            .port(port)
            .setting("advertised.listeners", "CLIENT://" + address())
            .startProcess();
    kafka.createTopic(
        RoleSettings.TOPIC, PARTITIONS, Map.of("message.timestamp.type", "LogAppendTime"));
  }

  /** Returns the server. */
  public KafkaProcess kafka() {
    return kafka;
  }

  /** Returns the line before it. */
  public TcpProxy line() {
    return line;
  }

  /** Returns where clients connect: the line. */
  public String address() {
    return "127.0.0.1:" + line.port();
  }

  @Override
  public void close() {
    line.close();
    kafka.close();
  }
}
