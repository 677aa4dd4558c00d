// SPDX-License-Identifier: Apache-2.0
package io.outledger.mqtt;

import io.outledger.contracts.Fuzz;
import io.outledger.contracts.ReceiverFixture;
import io.outledger.contracts.ReceiverSetup;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.CapturedLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A topic and a session of its own on a broker behind a line. */
final class MqttReceiverFixture implements ReceiverFixture {

  private static final AtomicInteger TOPICS = new AtomicInteger();

  private final ProxiedMqtt mqtt;
  private final String topic;
  private final MqttReceiver receiver;
  private @Nullable MqttFuzz fuzz;

  MqttReceiverFixture(ProxiedMqtt mqtt) {
    this.mqtt = mqtt;
    int number = TOPICS.incrementAndGet();
    this.topic = "received/" + number;
    this.receiver =
        MqttReceiver.of(mqtt.broker("stock-" + number), topic).standBy(Duration.ofSeconds(2));
    beginSession();
  }

  private void beginSession() {
    try {
      MqttDeliveries.open(new MqttSession(receiver)).close();
    } catch (Exception e) {
      throw new AssertionError("cannot begin the session", e);
    }
  }

  @Override
  public Publisher publisher() {
    return MqttPublisher.to(mqtt.broker("publisher"));
  }

  @Override
  public String topic() {
    return topic;
  }

  @Override
  public RunningReceiver start(ReceiverSetup setup) {
    MqttReceiver choice = receiver.options(setup.options()).listener(setup.listener());
    @Nullable Consumer<String> unreadable = setup.unreadable();
    if (unreadable != null) {
      choice = choice.unreadable((place, payload, reason) -> unreadable.accept(reason));
    }
    return choice.start(setup.handler());
  }

  @Override
  public void sendForeign(byte[] payload) {
    mqtt.publishForeign(topic, payload);
  }

  @Override
  public Map<String, Runnable> strangers() {
    return Map.of("no CloudEvent", () -> sendForeign(new byte[] {1}));
  }

  @Override
  public boolean sendFuzz(Fuzz given) {
    if (fuzz == null) {
      fuzz = new MqttFuzz(mqtt.server.port());
    }
    return fuzz.send(topic, given);
  }

  @Override
  public List<String> logOf(Runnable work) {
    return CapturedLog.during(work);
  }

  @Override
  public void takeAway() {
    mqtt.line.refuse();
  }

  @Override
  public void bringBack() {
    mqtt.line.pass();
  }

  /** Cleanly: killed, Mosquitto loses what it has not written yet, acknowledged or not. */
  @Override
  public void crash() {
    mqtt.server.restart();
  }

  @Override
  public void close() {
    if (fuzz != null) {
      fuzz.close();
    }
    mqtt.line.pass();
  }
}
