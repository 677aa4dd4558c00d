// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.publish.BlockingClient;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.receive.OpenReceiver;
import io.outledger.receive.QueueReceiver;
import io.outledger.receive.ReceiverContext;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A queue in memory, the receivers of which run as those of a broker do. */
final class MemoryReceiverFixture implements ReceiverFixture, Publisher {

  private final MemoryBroker broker = new MemoryBroker();

  @Override
  public Publisher publisher() {
    return this;
  }

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.PIPELINED;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    return new BlockingClient(
        Runnable::run,
        (position, attempt, message) -> {
          broker.add(message);
          return Outcome.PUBLISHED;
        },
        outcomes);
  }

  @Override
  public String topic() {
    return "orders";
  }

  @Override
  public OpenReceiver start(ReceiverSetup setup) {
    ReceiverContext context =
        new ReceiverContext(
            "queue in memory",
            setup.options(),
            setup.listener(),
            TimeSource.system(),
            new SplittableRandom(1));
    return QueueReceiver.start(
        context, setup.handler(), window -> new MemoryConsumer(broker, setup.unreadable()));
  }

  @Override
  public void sendForeign(byte[] payload) {
    broker.addForeign();
  }

  @Override
  public Map<String, Runnable> strangers() {
    return Map.of("no CloudEvent", broker::addForeign);
  }

  @Override
  public boolean sendFuzz(Fuzz fuzz) {
    broker.addForeign();
    return true;
  }

  /** Nothing here has a log. */
  @Override
  public List<String> logOf(Runnable work) {
    work.run();
    return List.of();
  }

  @Override
  public void takeAway() {
    broker.takeAway();
  }

  @Override
  public void bringBack() {
    broker.bringBack();
  }

  @Override
  public void crash() {
    broker.takeAway();
    broker.bringBack();
  }

  @Override
  public void close() {}
}
