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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A topic of one partition, so that all its records are one stream, and a group of receivers. */
final class KafkaReceiverFixture implements ReceiverFixture {

  private static final AtomicInteger TOPICS = new AtomicInteger();

  private final KafkaProcess kafka;
  private final TcpProxy line;
  private final String servers;
  private final String topic = "received-" + TOPICS.incrementAndGet();
  private final Publisher publisher;
  private final KafkaStrangers strangers;

  KafkaReceiverFixture(KafkaProcess kafka, TcpProxy line) {
    this.kafka = kafka;
    this.line = line;
    this.servers = "127.0.0.1:" + line.port();
    this.publisher = KafkaPublisher.with(Map.of("bootstrap.servers", servers));
    this.strangers = new KafkaStrangers(kafka.bootstrapServers(), topic);
    kafka.createTopic(topic, 1, Map.of());
  }

  @Override
  public Publisher publisher() {
    return publisher;
  }

  @Override
  public String topic() {
    return topic;
  }

  @Override
  public RunningReceiver start(ReceiverSetup setup) {
    // A member that could not leave is waited for until its session ends.
    Map<String, String> settings =
        Map.of(
            "bootstrap.servers",
            servers,
            "group.id",
            topic,
            "session.timeout.ms",
            "6000",
            "heartbeat.interval.ms",
            "1000");
    KafkaReceiver receiver =
        KafkaReceiver.with(settings)
            .topics(topic)
            .options(setup.options())
            .listener(setup.listener());
    Consumer<String> told = setup.unreadable();
    return (told == null ? receiver : receiver.unreadable(record -> told.accept(record.reason())))
        .start(setup.handler());
  }

  @Override
  public void sendForeign(byte[] payload) {
    ByteArraySerializer bytes = new ByteArraySerializer();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(Map.of("bootstrap.servers", servers), bytes, bytes)) {
      producer.send(new ProducerRecord<>(topic, payload)).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Map<String, Runnable> strangers() {
    return strangers.named();
  }

  @Override
  public boolean sendFuzz(Fuzz given) {
    return strangers.send(given);
  }

  @Override
  public List<String> logOf(Runnable work) {
    return CapturedLog.during(work);
  }

  @Override
  public void takeAway() {
    line.refuse();
  }

  @Override
  public void bringBack() {
    line.pass();
  }

  @Override
  public void crash() {
    kafka.kill();
    kafka.restart();
  }

  @Override
  public void close() {
    strangers.close();
    line.pass();
  }
}
