// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.receive.RunningReceiver;
import io.outledger.relay.options.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** A member of a group in a process of its own, with little memory, that says what it receives. */
final class SmallMember {

  private SmallMember() {}

  /**
   * Receives until its input ends.
   *
   * @param args the servers and the topic
   * @throws IOException never
   */
  public static void main(String[] args) throws IOException {
    KafkaReceiver receiver =
        KafkaReceiver.with(Map.of("bootstrap.servers", args[0], "group.id", args[1]))
            .topics(args[1])
            .backoff(new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(2)))
            .unreadable(
                record ->
                    System.out.println(
                        "ASIDE " + record.partition() + "@" + record.offset() + record.reason()));
    try (RunningReceiver running =
        receiver.start(
            batch ->
                batch.forEach(r -> System.out.println("GOT " + new String(r.payload(), UTF_8))))) {
      System.out.println("RUNNING " + running.isRunning());
      while (System.in.read() >= 0) {
        System.out.println("RUNNING " + running.isRunning());
      }
    }
  }
}
