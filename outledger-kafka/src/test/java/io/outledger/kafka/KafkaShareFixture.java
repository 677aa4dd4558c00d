// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.contracts.Fuzz;
import io.outledger.contracts.ReceiverFixture;
import io.outledger.contracts.ReceiverSetup;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.CapturedLog;
import io.outledger.servers.KafkaProcess;
import io.outledger.servers.TcpProxy;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A topic of one partition, and a share group of receivers. */
final class KafkaShareFixture implements ReceiverFixture {

  private final KafkaReceiverFixture kafka;
  private final String servers;

  KafkaShareFixture(KafkaProcess process, TcpProxy line) {
    this.kafka = new KafkaReceiverFixture(process, line);
    this.servers = "127.0.0.1:" + line.port();
    ShareGroups.setUp(servers, kafka.topic(), Map.of("share.record.lock.duration.ms", "5000"));
  }

  @Override
  public Publisher publisher() {
    return kafka.publisher();
  }

  @Override
  public String topic() {
    return kafka.topic();
  }

  @Override
  public RunningReceiver start(ReceiverSetup setup) {
    KafkaShareReceiver receiver =
        KafkaShareReceiver.with(Map.of("bootstrap.servers", servers, "group.id", kafka.topic()))
            .topics(kafka.topic())
            .options(setup.options())
            .listener(setup.listener());
    Consumer<String> told = setup.unreadable();
    return (told == null ? receiver : receiver.unreadable(record -> told.accept(record.reason())))
        .start(setup.handler());
  }

  @Override
  public boolean isOrdered() {
    return false;
  }

  @Override
  public boolean receivesWhileItWaits() {
    return false;
  }

  @Override
  public void sendForeign(byte[] payload) {
    kafka.sendForeign(payload);
  }

  @Override
  public Map<String, Runnable> strangers() {
    return kafka.strangers();
  }

  @Override
  public boolean sendFuzz(Fuzz given) {
    return kafka.sendFuzz(given);
  }

  @Override
  public List<String> logOf(Runnable work) {
    return CapturedLog.during(work);
  }

  @Override
  public void takeAway() {
    kafka.takeAway();
  }

  @Override
  public void bringBack() {
    kafka.bringBack();
  }

  @Override
  public void crash() {
    kafka.crash();
  }

  @Override
  public void close() {
    kafka.close();
  }
}
