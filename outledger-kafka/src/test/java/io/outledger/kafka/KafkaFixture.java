// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.Message;
import io.outledger.contracts.PublisherFixture;
import io.outledger.inbox.Received;
import io.outledger.publish.Publisher;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import io.outledger.servers.KafkaProcess;
import io.outledger.servers.TcpProxy;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** A topic of its own on a broker behind a line that can be taken away. */
final class KafkaFixture implements PublisherFixture {

  private static final int MESSAGE_BYTES_MAX = 300_000;
  private static final AtomicInteger TOPICS = new AtomicInteger();

  private final KafkaProcess kafka;
  private final TcpProxy line;
  private final String servers;
  private final String topic = "contract-" + TOPICS.incrementAndGet();
  private final Publisher publisher;
  private final RecordReader reader = new RecordReader(ReceiverChoices.DEFAULT, null);

  KafkaFixture(KafkaProcess kafka, TcpProxy line) {
    this.kafka = kafka;
    this.line = line;
    this.servers = "127.0.0.1:" + line.port();
    kafka.createTopic(topic, 3, Map.of("max.message.bytes", Integer.toString(MESSAGE_BYTES_MAX)));
    publisher = KafkaPublisher.with(Map.of("bootstrap.servers", servers));
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
  public List<Received> awaitArrivals(Collection<UUID> ids) {
    List<String> awaited = ids.stream().map(UUID::toString).toList();
    Await.until(
        "messages arrive",
        Duration.ofSeconds(30),
        () -> arrivals().stream().map(Received::id).toList().containsAll(awaited));
    return arrivals();
  }

  private List<Received> arrivals() {
    return TopicRecords.of(servers, topic).stream().map(reader::read).toList();
  }

  @Override
  public void takeAway() {
    line.refuse();
  }

  @Override
  public void loseAnswers() {
    line.swallowReplies();
  }

  @Override
  public void cutAt(String text) {
    line.cutAt(text);
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
  public List<String> logOf(Runnable work) {
    return CapturedLog.during(work);
  }

  /** Small enough for the client, too large for the topic: it is the broker that says no. */
  @Override
  public Message unacceptable(String key) {
    byte[] payload = "x".repeat(2 * MESSAGE_BYTES_MAX).getBytes(UTF_8);
    return Message.to(topic, "order.placed").key(key).payload(payload).build();
  }

  @Override
  public void close() {
    line.pass();
  }
}
