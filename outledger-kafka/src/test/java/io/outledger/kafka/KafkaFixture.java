// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.Message;
import io.outledger.contracts.PublisherFixture;
import io.outledger.inbox.Received;
import io.outledger.publish.Publisher;
import io.outledger.servers.Await;
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

  private final ProxiedKafka kafka;
  private final String topic = "contract-" + TOPICS.incrementAndGet();
  private final Publisher publisher;
  private final RecordReader reader = new RecordReader(ReceiverChoices.DEFAULT, null);

  KafkaFixture(ProxiedKafka kafka) {
    this.kafka = kafka;
    kafka.broker.createTopic(
        topic, 3, Map.of("max.message.bytes", Integer.toString(MESSAGE_BYTES_MAX)));
    publisher = KafkaPublisher.with(Map.of("bootstrap.servers", kafka.bootstrapServers()));
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
    return TopicRecords.of(kafka.bootstrapServers(), topic).stream().map(reader::read).toList();
  }

  @Override
  public void takeAway() {
    kafka.line.refuse();
  }

  @Override
  public void bringBack() {
    kafka.line.pass();
  }

  /** Small enough for the client, too large for the topic: it is the broker that says no. */
  @Override
  public Message unacceptable(String key) {
    byte[] payload = "x".repeat(2 * MESSAGE_BYTES_MAX).getBytes(UTF_8);
    return Message.to(topic, "order.placed").key(key).payload(payload).build();
  }

  @Override
  public void close() {
    kafka.line.pass();
  }
}
