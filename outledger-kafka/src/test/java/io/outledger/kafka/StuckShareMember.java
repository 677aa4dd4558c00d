// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.receive.RunningReceiver;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Semaphore;

/** A member of a share group in a process of its own, whose handler comes to no end. */
final class StuckShareMember {

  /** What it says once it has records. */
  static final String READY = "GOT records";

  private StuckShareMember() {}

  /**
   * Receives until it is killed, or its input ends.
   *
   * @param args the servers and the topic, which names the group, too
   */
  public static void main(String[] args) throws IOException {
    Semaphore never = new Semaphore(0);
    KafkaShareReceiver receiver =
        KafkaShareReceiver.with(Map.of("bootstrap.servers", args[0], "group.id", args[1]))
            .topics(args[1]);
    try (RunningReceiver running =
        receiver.start(
            batch -> {
              System.out.println(READY);
              never.acquire();
            })) {
      while (running.isRunning() && System.in.read() >= 0) {
        System.out.println("still there");
      }
    }
  }
}
