// SPDX-License-Identifier: Apache-2.0
package io.outledger.mqtt;

import io.outledger.receive.ReceiverSettings;
import io.outledger.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a receiver keeps from one connection to the next. For one thread.
 *
 * <p>A broker gives a session to whoever connects last. An instance that has lost it leaves it
 * there for a while, or the two would take it from each other all the time.
 */
final class MqttSession {

  private final MqttReceiver receiver;
  private final MqttReader reader;
  private final TimeSource time;
  private @Nullable Long standsBySince;

  MqttSession(MqttReceiver receiver) {
    this.receiver = receiver;
    this.reader = new MqttReader(receiver.settings().origin());
    this.time = receiver.settings().time();
  }

  MqttBroker broker() {
    return receiver.broker();
  }

  String topicFilter() {
    return receiver.topicFilter();
  }

  Duration expiry() {
    return receiver.times().expiry();
  }

  ReceiverSettings settings() {
    return receiver.settings();
  }

  MqttReader reader() {
    return reader;
  }

  /** Another instance has it now. */
  void takenOver() {
    standsBySince = time.nanoTime();
  }

  /**
   * Checks that it is not another one's turn.
   *
   * @throws IOException if it is
   */
  void checkTurn() throws IOException {
    Long since = standsBySince;
    if (since != null) {
      long waited = time.nanoTime() - since;
      if (waited < receiver.times().standBy().toNanos()) {
        throw new IOException(
            "another client has connected to the MQTT broker at "
                + broker()
                + " with the same client id; standing by. Where that is no instance of this"
                + " application, give it another id");
      }
      standsBySince = null;
    }
  }
}
