// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import com.rabbitmq.client.MessageProperties;
import io.outledger.contracts.Fuzz;
import io.outledger.contracts.ReceiverFixture;
import io.outledger.contracts.ReceiverSetup;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.CapturedLog;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A durable queue with one active consumer at a time, and receivers of it behind a faulty line. */
final class RabbitReceiverFixture implements ReceiverFixture {

  private final SharedRabbit rabbit = new SharedRabbit();
  private final String queue = SharedRabbit.classicQueue();
  private final Publisher publisher = RabbitPublisher.to(rabbit.broker());
  private @Nullable RabbitFuzz fuzz;

  @Override
  public Publisher publisher() {
    return publisher;
  }

  @Override
  public String topic() {
    return queue;
  }

  @Override
  public RunningReceiver start(ReceiverSetup setup) {
    RabbitReceiver receiver =
        RabbitReceiver.from(rabbit.broker(), queue)
            .prefetch(50)
            .options(setup.options())
            .listener(setup.listener());
    Consumer<String> told = setup.unreadable();
    return (told == null
            ? receiver
            : receiver.unreadable((place, payload, reason) -> told.accept(reason)))
        .start(setup.handler());
  }

  @Override
  public void sendForeign(byte[] payload) {
    SharedRabbit.on(
        channel -> {
          channel.confirmSelect();
          channel.basicPublish("", queue, MessageProperties.PERSISTENT_BASIC, payload);
          return channel.waitForConfirms(10_000);
        });
  }

  @Override
  public Map<String, Runnable> strangers() {
    return RabbitStrangers.to(queue);
  }

  @Override
  public boolean sendFuzz(Fuzz given) {
    if (fuzz == null) {
      fuzz = new RabbitFuzz();
    }
    return fuzz.send(queue, given);
  }

  @Override
  public List<String> logOf(Runnable work) {
    return CapturedLog.during(work);
  }

  @Override
  public void takeAway() {
    rabbit.line.refuse();
  }

  @Override
  public void bringBack() {
    rabbit.line.pass();
  }

  @Override
  public void crash() {
    SharedRabbit.SERVER.syncDefinitions();
    SharedRabbit.crash(queue);
  }

  @Override
  public void close() {
    if (fuzz != null) {
      fuzz.close();
    }
    rabbit.line.pass();
    rabbit.line.close();
    SharedRabbit.on(channel -> channel.queueDelete(queue));
  }
}
