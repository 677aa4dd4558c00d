// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.publish.Publisher;
import io.outledger.receive.OpenReceiver;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * One topic of a broker with nothing in it, and receivers that share one subscription to it: a
 * group, a queue, a durable consumer. The subscription exists when the fixture is opened, so what
 * is published before the first receiver starts is not lost. Opened for each test; used by one
 * thread.
 */
public interface ReceiverFixture {

  /** Returns a publisher to the broker, always the same one. */
  Publisher publisher();

  /** Returns the topic, always the same one. */
  String topic();

  /**
   * Starts a receiver of the topic and returns without waiting for the broker. Several may run at a
   * time.
   */
  OpenReceiver start(ReceiverSetup setup);

  /**
   * Says whether the broker keeps the order of keys among receivers, and after a failure. Where it
   * keeps none, everything else is still asked.
   */
  default boolean isOrdered() {
    return true;
  }

  /**
   * Says whether a receiver gets more while what it has waits. Where it gets nothing, a message
   * that always meets an outage and came alone has nothing to be compared with.
   */
  default boolean receivesWhileItWaits() {
    return true;
  }

  /**
   * Returns after how long the broker delivers again what a closed receiver has not acknowledged,
   * where it does not do so before everything that is published later.
   */
  default Duration redeliversWithin() {
    return Duration.ZERO;
  }

  /** Sends what is no CloudEvent, and returns when the broker has it. */
  void sendForeign(byte[] payload);

  /**
   * Returns what strangers may send to the topic who know the broker's protocol better than its
   * client library does, by name: headers nested deep, bodies of another type, lengths that lie,
   * bytes through a raw socket. Each sends one message that the broker accepts and that library
   * cannot hand over, or not at first, and returns when the broker has it.
   */
  Map<String, Runnable> strangers();

  /**
   * Sends one message that is drawn: its headers, its body, what the protocol tells about it, and
   * where the protocol permits its bytes by a raw socket. Returns when the broker has it.
   *
   * @return false if the broker refused it, or delivers it to nobody
   */
  boolean sendFuzz(Fuzz fuzz);

  /**
   * Runs something and returns what this process has logged meanwhile, by whatever library: each
   * entry beginning with its level, from INFO on, its stack trace behind it.
   */
  List<String> logOf(Runnable work);

  /** Makes the broker unreachable, for open receivers and for new ones. */
  void takeAway();

  /** Makes the broker reachable again; returns when new receivers can reach it. */
  void bringBack();

  /**
   * Ends the broker as hard as it can be ended, by SIGKILL where it is a process, and starts it
   * again on its data. Returns when it can be reached. What it has accepted must still be there.
   */
  void crash();

  /** Ends what is open, and removes what was made. Receivers are closed before. */
  void close() throws Exception;
}
