// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.inbox.BatchHandler;
import io.outledger.publish.Publisher;
import io.outledger.pulsar.PulsarCluster;
import io.outledger.pulsar.PulsarPublisher;
import io.outledger.pulsar.PulsarReceiver;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.PulsarServer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.pulsar.client.api.Authentication;
import org.apache.pulsar.client.api.AuthenticationFactory;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;

/** A topic of Pulsar, whose bookie has each message on disk before it is acknowledged. */
final class MeasuredPulsar implements MeasuredBroker {

  private static final String TOPIC = "orders";
  private static final String PATH = "persistent/public/default/" + TOPIC;
  private static final String NAME = "persistent://public/default/" + TOPIC + '"';
  private static final Pattern ENTRIES = Pattern.compile("\"numberOfEntries\"\\s*:\\s*(\\d+)");
  private static final String EVERYTHING =
      "{\"retentionTimeInMinutes\":-1,\"retentionSizeInMB\":-1}";
  private static final int WINDOW = 500;

  private final PulsarServer server = PulsarServer.start();
  private final PulsarClient client = bareClient();

  /** Opened once: that takes as long as sending some thousand messages. */
  private PulsarClient bareClient() {
    try {
      return PulsarClient.builder().serviceUrl(server.url()).authentication(admin()).build();
    } catch (PulsarClientException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String title() {
    return "Apache Pulsar";
  }

  @Override
  public Publisher publisher() {
    return PulsarPublisher.to(cluster());
  }

  @Override
  public RunningReceiver receive(BatchHandler handler) {
    return PulsarReceiver.of(cluster(), TOPIC, "receiver").start(handler);
  }

  /** Without batches, as the publisher: a batch would go to one consumer, whatever the keys. */
  @Override
  public void sendBare(List<byte[]> payloads) throws Exception {
    try (Producer<byte[]> producer =
        client.newProducer().topic(TOPIC).enableBatching(false).create()) {
      Deque<CompletableFuture<MessageId>> onTheirWay = new ArrayDeque<>();
      for (byte[] payload : payloads) {
        if (onTheirWay.size() == WINDOW) {
          onTheirWay.remove().get();
        }
        onTheirWay.add(producer.sendAsync(payload));
      }
      for (CompletableFuture<MessageId> each : onTheirWay) {
        each.get();
      }
    }
  }

  @Override
  public void takeBare(int count, Work work) throws Exception {
    try (Consumer<byte[]> consumer =
        client
            .newConsumer()
            .topic(TOPIC)
            .subscriptionName("bare")
            .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
            .subscribe()) {
      for (int taken = 0; taken < count; taken++) {
        Message<byte[]> message = consumer.receive();
        work.on(message.getData());
        consumer.acknowledge(message);
      }
    }
  }

  /** Makes the topic again. */
  @Override
  public void clear() {
    if (server.admin("GET", "persistent/public/default", "").contains(NAME)) {
      server.admin("DELETE", PATH + "?force=true", "");
    }
    server.admin("PUT", PATH, "");
    server.admin("POST", "namespaces/public/default/retention", EVERYTHING);
  }

  @Override
  public OptionalLong count() {
    Matcher entries = ENTRIES.matcher(server.admin("GET", PATH + "/internalStats", ""));
    return entries.find()
        ? OptionalLong.of(Long.parseLong(entries.group(1)))
        : OptionalLong.empty();
  }

  @Override
  public void close() {
    var unused = client.closeAsync(); // which takes its time
    server.close();
  }

  private PulsarCluster cluster() {
    return PulsarCluster.at(server.url()).client(client -> client.authentication(admin()));
  }

  private static Authentication admin() {
    return AuthenticationFactory.token(PulsarServer.token(PulsarServer.ADMIN));
  }
}
