// SPDX-License-Identifier: Apache-2.0
package io.outledger.mqtt;

import io.outledger.Printable;
import io.outledger.receive.ReceiverSettings;
import io.outledger.receive.StandByException;
import io.outledger.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a receiver keeps from one connection to the next. For one thread.
 *
 * <p>A broker gives a session to whoever connects last. An instance that has lost it leaves it
 * there for a while, or the two would take it from each other all the time. Where the broker does
 * not say that it was lost, a connection that ends soon without a reason counts as that.
 */
final class MqttSession {

  private static final long SOON_NANOS = Duration.ofSeconds(5).toNanos();

  private final MqttReceiver receiver;
  private final MqttReader reader;
  private final TimeSource time = TimeSource.system(); // of the network, whatever the receiver's is
  private long openedAt;
  private @Nullable Long standsBySince;

  MqttSession(MqttReceiver receiver) {
    this.receiver = receiver;
    this.reader = new MqttReader(receiver.settings().origin());
  }

  MqttBroker broker() {
    return receiver.broker();
  }

  String topicFilter() {
    return receiver.topicFilter();
  }

  Duration expiry() {
    return receiver.limits().expiry();
  }

  int receiveMaximum() {
    return receiver.limits().receiveMaximum();
  }

  ReceiverSettings settings() {
    return receiver.settings();
  }

  MqttReader reader() {
    return reader;
  }

  /** There is a connection now. */
  void opened() {
    openedAt = time.nanoTime();
  }

  /**
   * The connection has ended: perhaps another instance has the session now.
   *
   * @throws StandByException if it seems so
   * @throws IOException else
   */
  void ended(MqttBroker.Link link) throws IOException, StandByException {
    long now = time.nanoTime();
    boolean isSoon = now - openedAt < SOON_NANOS;
    if (link.isTakenOver() || (isSoon && link.isEndedWithoutReason())) {
      standsBySince = now;
      throw standsBy();
    }
    throw new IOException(link.endText());
  }

  private StandByException standsBy() {
    return new StandByException(
        "another client seems to connect to the MQTT broker at "
            + broker()
            + " with the same client id; standing by for "
            + Printable.span(receiver.limits().standBy())
            + ". Where that is not an instance of this application, give it another id");
  }

  /**
   * Checks that it is not another one's turn.
   *
   * @throws StandByException if it is
   */
  void checkTurn() throws StandByException {
    Long since = standsBySince;
    if (since != null) {
      if (time.nanoTime() - since < receiver.limits().standBy().toNanos()) {
        throw standsBy();
      }
      standsBySince = null;
    }
  }
}
