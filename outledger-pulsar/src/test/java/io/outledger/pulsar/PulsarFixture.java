// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import io.outledger.Message;
import io.outledger.contracts.Fuzz;
import io.outledger.contracts.PublisherFixture;
import io.outledger.contracts.ReceiverFixture;
import io.outledger.contracts.ReceiverSetup;
import io.outledger.inbox.Received;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Reader;
import org.jspecify.annotations.Nullable;

/** A topic of its own on the shared server, behind the line that can be taken away. */
final class PulsarFixture implements PublisherFixture, ReceiverFixture {

  private static final int TOO_LARGE_BYTES = 5 * 1024 * 1024 + 1;

  private final String topic;
  private final PulsarPublisher publisher = PulsarPublisher.to(SharedPulsar.cluster());
  private final List<Received> arrivals = new ArrayList<>();
  private @Nullable Reader<byte[]> arriving;
  private @Nullable PulsarFuzz fuzz;

  PulsarFixture() {
    this(SharedPulsar.newTopic());
  }

  PulsarFixture(String topic) {
    this.topic = topic;
  }

  @Override
  public Publisher publisher() {
    return publisher;
  }

  @Override
  public String topic() {
    return topic;
  }

  @Override
  public List<Received> awaitArrivals(Collection<UUID> ids) {
    List<String> awaited = ids.stream().map(UUID::toString).toList();
    Await.until(
        "messages arrive",
        Duration.ofSeconds(30),
        () -> {
          addArrivals();
          return arrivals.stream().map(Received::id).toList().containsAll(awaited);
        });
    return List.copyOf(arrivals);
  }

  private void addArrivals() throws PulsarClientException {
    if (arriving == null) {
      arriving =
          SharedPulsar.pulsar()
              .newReader()
              .topic(topic)
              .startMessageId(MessageId.earliest)
              .create();
    }
    PulsarReader reader = new PulsarReader(topic, null);
    var next = arriving.readNext(100, TimeUnit.MILLISECONDS);
    while (next != null) {
      arrivals.add(reader.read(next));
      next = arriving.readNext(20, TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public RunningReceiver start(ReceiverSetup setup) {
    PulsarReceiver receiver =
        PulsarReceiver.of(SharedPulsar.cluster(), topic, "stock")
            .options(setup.options())
            .listener(setup.listener());
    Consumer<String> unreadable = setup.unreadable();
    if (unreadable != null) {
      receiver = receiver.unreadable((place, payload, reason) -> unreadable.accept(reason));
    }
    return receiver.start(setup.handler());
  }

  @Override
  public void sendForeign(byte[] payload) {
    try (Producer<byte[]> producer = SharedPulsar.pulsar().newProducer().topic(topic).create()) {
      producer.send(payload);
    } catch (PulsarClientException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Map<String, Runnable> strangers() {
    return PulsarStrangers.to(topic);
  }

  @Override
  public boolean sendFuzz(Fuzz given) {
    if (fuzz == null) {
      fuzz = new PulsarFuzz(topic);
    }
    return fuzz.send(given);
  }

  @Override
  public void takeAway() {
    SharedPulsar.server().line().refuse();
  }

  @Override
  public void loseAnswers() {
    SharedPulsar.server().line().swallowReplies();
  }

  @Override
  public void cutAt(String text) {
    SharedPulsar.server().line().cutAt(text);
  }

  @Override
  public void bringBack() {
    SharedPulsar.server().line().pass();
  }

  @Override
  public void crash() {
    SharedPulsar.server().kill();
    SharedPulsar.server().restart();
  }

  @Override
  public List<String> logOf(Runnable work) {
    return CapturedLog.during(work);
  }

  /** More than the brokers' default of 5 MiB. */
  @Override
  public Message unacceptable(String key) {
    return Message.to(topic, "order.placed").key(key).payload(new byte[TOO_LARGE_BYTES]).build();
  }

  @Override
  public void close() throws Exception {
    if (fuzz != null) {
      fuzz.close();
    }
    SharedPulsar.server().line().pass();
    if (arriving != null) {
      arriving.close();
    }
  }
}
