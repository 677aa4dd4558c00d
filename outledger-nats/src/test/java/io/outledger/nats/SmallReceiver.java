// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import io.nats.client.Options;
import io.outledger.receive.RunningReceiver;
import java.io.IOException;

/** A receiver that takes many messages at once, in a process of its own with little memory. */
final class SmallReceiver {

  private static final int AHEAD = 1_000;

  private SmallReceiver() {}

  /**
   * Receives until its input ends.
   *
   * @param args the server and the stream
   * @throws IOException never
   */
  public static void main(String[] args) throws IOException {
    try (RunningReceiver running =
        NatsReceiver.of(Options.builder().server(args[0]).build(), args[1], "small")
            .unordered(AHEAD)
            .start(batch -> batch.forEach(one -> System.out.println("GOT " + one.id())))) {
      while (System.in.read() >= 0) {
        System.out.println("RUNNING " + running.isRunning());
      }
    }
  }
}
