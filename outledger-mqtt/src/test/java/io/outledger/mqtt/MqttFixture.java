// SPDX-License-Identifier: Apache-2.0
package io.outledger.mqtt;

import io.outledger.Message;
import io.outledger.contracts.PublisherFixture;
import io.outledger.inbox.Received;
import io.outledger.publish.Publisher;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** A topic of its own on a broker behind a line that can be taken away. */
final class MqttFixture implements PublisherFixture {

  static final int PACKET_BYTES_MAX = 300_000;
  private static final AtomicInteger TOPICS = new AtomicInteger();

  private final ProxiedMqtt mqtt;
  private final String topic = "contract/" + TOPICS.incrementAndGet();
  private final Publisher publisher;

  MqttFixture(ProxiedMqtt mqtt) {
    this.mqtt = mqtt;
    this.publisher = MqttPublisher.to(mqtt.broker("contract"));
    mqtt.observe(topic);
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
        () -> mqtt.arrivals(topic).stream().map(Received::id).toList().containsAll(awaited));
    return mqtt.arrivals(topic);
  }

  @Override
  public void takeAway() {
    mqtt.line.refuse();
  }

  @Override
  public void loseAnswers() {
    mqtt.line.swallowReplies();
  }

  @Override
  public void cutAt(String text) {
    mqtt.line.cutAt(text);
  }

  @Override
  public void bringBack() {
    mqtt.line.pass();
  }

  /** Cleanly: killed, Mosquitto loses what it has not written yet, acknowledged or not. */
  @Override
  public void crash() {
    mqtt.server.restart();
    mqtt.observe(topic); // which it waits for: without a subscriber nothing is published
  }

  @Override
  public List<String> logOf(Runnable work) {
    return CapturedLog.during(work);
  }

  @Override
  public Message unacceptable(String key) {
    return Message.to(topic, "order.placed").key(key).payload(new byte[PACKET_BYTES_MAX]).build();
  }

  @Override
  public void close() {
    mqtt.line.pass();
  }
}
