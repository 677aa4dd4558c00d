// SPDX-License-Identifier: Apache-2.0
package io.outledger.mqtt;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5RetainHandling;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.suback.Mqtt5SubAck;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.suback.Mqtt5SubAckReasonCode;
import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Printable;
import io.outledger.receive.Arrival;
import io.outledger.receive.Batch;
import io.outledger.receive.DeliveryLimit;
import io.outledger.receive.Redelivery;
import io.outledger.receive.SingleStreamDeliveries;
import io.outledger.receive.StandByException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A session on an open connection. For one thread; the client's own fills the queue. */
final class MqttDeliveries implements SingleStreamDeliveries<MqttDeliveries.Delivered> {

  private static final Duration ANSWER_TIME_MAX = Duration.ofSeconds(5);
  private static final long BATCH_BYTES_MAX = 16L * 1024 * 1024;
  private static final int OVERHEAD_BYTES = 300;

  private final MqttBroker.Link link;
  private final MqttSession session;
  private final BlockingQueue<Mqtt5Publish> delivered = new LinkedBlockingQueue<>();

  /** A packet, known by itself: MQTT has no name for it that outlives the connection. */
  static final class Delivered {
    private final Mqtt5Publish packet;

    private Delivered(Mqtt5Publish packet) {
      this.packet = packet;
    }

    @Override
    public String toString() {
      return "message on topic " + packet.getTopic();
    }
  }

  private MqttDeliveries(MqttBroker.Link link, MqttSession session) {
    this.link = link;
    this.session = session;
  }

  /** Connects, takes the session up again or begins it, and subscribes. */
  static MqttDeliveries open(MqttSession session) throws Exception {
    session.checkTurn();
    Mqtt5Connect connect =
        Mqtt5Connect.builder()
            .cleanStart(false)
            .sessionExpiryInterval(session.expiry().toSeconds())
            .restrictions()
            .receiveMaximum(session.receiveMaximum())
            .applyRestrictions()
            .build();
    MqttBroker.Link link = session.broker().link();
    MqttDeliveries open = new MqttDeliveries(link, session);
    // Before it connects, since a session goes on with what it had not acknowledged.
    link.client().publishes(MqttGlobalPublishFilter.ALL, open.delivered::add, true);
    CompletableFuture<MqttBroker.Link> coming = link.connect(connect);
    try {
      MqttBroker.Link unused = answer(coming);
      checkGranted(session, answer(subscribe(link, session)));
      session.opened();
      return open;
    } catch (Exception e) {
      var unused = coming.thenAccept(MqttBroker.Link::close); // at once, or where it still comes
      throw e;
    }
  }

  /**
   * Retained messages are older than the subscription, and a broker would send them with each
   * connection. What is published while there is a session comes in any case.
   */
  private static CompletableFuture<Mqtt5SubAck> subscribe(
      MqttBroker.Link link, MqttSession session) {
    return link.client()
        .subscribeWith()
        .topicFilter(session.topicFilter())
        .qos(MqttQos.AT_LEAST_ONCE)
        .retainHandling(Mqtt5RetainHandling.DO_NOT_SEND)
        .send();
  }

  /** With QoS 0 a broker forgets what it has sent, and what is to be sent while nobody connects. */
  private static void checkGranted(MqttSession session, Mqtt5SubAck granted) {
    if (granted.getReasonCodes().contains(Mqtt5SubAckReasonCode.GRANTED_QOS_0)) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "the MQTT broker at "
              + session.broker()
              + " grants QoS 0 for '"
              + Printable.value(session.topicFilter())
              + "', by which messages are lost; have it grant QoS 1 (Mosquitto: max_qos)");
    }
  }

  private static <T> T answer(CompletableFuture<T> coming) throws Exception {
    return coming.get(ANSWER_TIME_MAX.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public List<Batch<Delivered>> receive(Duration patience) throws Exception {
    Mqtt5Publish first = delivered.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
    if (first == null) {
      checkOpen();
      return List.of();
    }
    List<Arrival<Delivered>> arrivals = new ArrayList<>();
    long bytes = 0;
    for (Mqtt5Publish next = first;
        next != null;
        next = bytes < BATCH_BYTES_MAX ? delivered.poll() : null) {
      Arrival<Delivered> arrival = arrival(next);
      bytes += arrival.bytes();
      arrivals.add(arrival);
    }
    return List.of(new Batch<>(session.topicFilter(), arrivals));
  }

  private Arrival<Delivered> arrival(Mqtt5Publish packet) {
    int bytes = OVERHEAD_BYTES + packet.getPayloadAsBytes().length;
    return Arrival.read(new Delivered(packet), bytes, () -> session.reader().read(packet));
  }

  /** A message whose acknowledgement was lost stays in the session. */
  @Override
  public Optional<Redelivery> redelivery() {
    return Optional.of(new Redelivery("the MQTT session (sessionExpiry)", session.expiry()));
  }

  /** A session gives up nothing while it lasts. */
  @Override
  public Optional<DeliveryLimit> deliveryLimit() {
    return Optional.empty();
  }

  /** The client sends them in this order; where the connection is gone, the broker repeats. */
  @Override
  public void acknowledge(List<Delivered> done) throws Exception {
    done.forEach(one -> one.packet.acknowledge());
    checkOpen();
  }

  private void checkOpen() throws IOException, StandByException {
    if (!link.isOpen()) {
      session.ended(link);
    }
  }

  /** MQTT delivers nothing again while the connection is open. */
  @Override
  public void keep(List<Delivered> held) {}

  @Override
  public void setAside(Arrival<Delivered> arrival) throws Exception {
    session.settings().setAside(arrival, arrival.place().packet.getPayloadAsBytes());
  }

  /** Leaves the session to its successor, with what is not acknowledged. */
  @Override
  public void close() throws Exception {
    if (link.isOpen()) {
      Void unused = answer(link.client().disconnect());
    }
  }
}
