// SPDX-License-Identifier: Apache-2.0
package io.outledger.mqtt;

import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult;
import io.outledger.Message;
import io.outledger.publish.Line;
import io.outledger.publish.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The topics of a broker as a destination, in a session that ends with its connection. */
final class MqttLine implements Line<MqttBroker.Link> {

  private static final Mqtt5Connect CONNECT =
      Mqtt5Connect.builder().cleanStart(true).sessionExpiryInterval(0).build();

  private final MqttPublisher publisher;
  private final MqttBinding binding;

  MqttLine(MqttPublisher publisher) {
    this.publisher = publisher;
    this.binding = new MqttBinding(publisher.sourceUri());
  }

  @Override
  public CompletionStage<MqttBroker.Link> connect() {
    return publisher.broker().link().connect(CONNECT);
  }

  @Override
  public boolean isOpen(MqttBroker.Link link) {
    return link.isOpen();
  }

  @Override
  public CompletionStage<Outcome> send(MqttBroker.Link link, long position, Message message) {
    MqttBinding.Packet packet;
    try {
      packet = binding.packet(publisher.topicOf(message.topic()), position, message);
    } catch (RuntimeException e) {
      return CompletableFuture.completedStage(Outcome.refused(String.valueOf(e.getMessage())));
    }
    if (packet.bytesMax() > link.packetBytesMax()) {
      return CompletableFuture.completedStage(
          MqttOutcomes.tooLarge(packet.bytesMax(), link.packetBytesMax()));
    }
    return link.client()
        .publish(packet.publish())
        .handle((result, failure) -> outcome(link, result, failure));
  }

  private Outcome outcome(
      MqttBroker.Link link, @Nullable Mqtt5PublishResult result, @Nullable Throwable failure) {
    Throwable error = result == null ? failure : result.getError().orElse(null);
    if (error == null && result instanceof Mqtt5PublishResult.Mqtt5Qos1Result acknowledged) {
      return MqttOutcomes.outcome(acknowledged.getPubAck(), publisher.allowsNoSubscribers());
    }
    return MqttOutcomes.failed(error, link);
  }

  @Override
  public void close(MqttBroker.Link link) {
    link.close();
  }
}
