// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.servers.ChildJvm;
import io.outledger.servers.Ports;
import java.time.Duration;

/** A relay with its Kafka publisher, in a process that does nothing else. */
final class RelaySide implements ConnectSide {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Rest rest;
  private final ChildJvm child;

  private RelaySide(ChildJvm child, Rest rest) {
    this.child = child;
    this.rest = rest;
  }

  static RelaySide start(WaitingLedger ledger, String bootstrapServers) {
    int port = Ports.free();
    ChildJvm child =
        ChildJvm.of(RelaySideMain.class)
            .args(Integer.toString(port), bootstrapServers)
            .environment(RelaySideMain.JDBC_URL, ledger.jdbcUrl())
            .property("org.slf4j.simpleLogger.defaultLogLevel", "warn")
            .heapMib(MeasuredWorker.HEAP_MIB)
            .option(MeasuredWorker.COLLECTOR)
            .start();
    child.waitFor(RelaySideMain.READY::equals, PATIENCE);
    return new RelaySide(child, new Rest(port, child::outputTail));
  }

  @Override
  public String name() {
    return "relay";
  }

  @Override
  public String text() {
    return "relay";
  }

  @Override
  public long pid() {
    return child.pid();
  }

  @Override
  public void begin(String turn, String topic, boolean isBacklog) {
    rest.require("POST", String.join("/", "/begin", turn, topic, isBacklog ? "earliest" : "now"));
  }

  @Override
  public void check() {
    if (!child.isAlive()) {
      throw new IllegalStateException("the relay's process ended:\n" + child.outputTail());
    }
  }

  @Override
  public void end() {
    rest.require("POST", "/end");
  }

  @Override
  public void close() {
    child.close();
  }
}
