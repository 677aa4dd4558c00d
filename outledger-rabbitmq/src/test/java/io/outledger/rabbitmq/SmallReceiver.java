// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import com.rabbitmq.client.ConnectionFactory;
import io.outledger.receive.ReceiverOptions;
import io.outledger.receive.RunningReceiver;
import io.outledger.relay.options.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A receiver in a process of its own, with little memory, whose handler fails at first. */
final class SmallReceiver {

  private static final int FAILURES = 4;

  private SmallReceiver() {}

  /**
   * Receives until its input ends.
   *
   * @param args the port, the queue, and the seconds to wait after each failure
   * @throws IOException never
   */
  public static void main(String[] args) throws IOException {
    Duration pause = Duration.ofSeconds(Long.parseLong(args[2]));
    AtomicInteger failures = new AtomicInteger();
    ConnectionFactory factory = new ConnectionFactory(); // no class that starts a broker
    factory.setHost("127.0.0.1");
    factory.setPort(Integer.parseInt(args[0]));
    RabbitReceiver receiver =
        RabbitReceiver.from(RabbitBroker.of(factory), args[1])
            .options(ReceiverOptions.DEFAULT.withBackoff(new Backoff(pause, pause)));
    try (RunningReceiver running =
        receiver.start(
            batch -> {
              if (failures.incrementAndGet() <= FAILURES) {
                throw new IllegalStateException("away, while the broker delivers on");
              }
              batch.forEach(one -> System.out.println("GOT " + one.id()));
            })) {
      while (System.in.read() >= 0) {
        System.out.println("RUNNING " + running.isRunning());
      }
    }
  }
}
