// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.PublishAck;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.outledger.inbox.BatchHandler;
import io.outledger.nats.NatsPublisher;
import io.outledger.nats.NatsReceiver;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.NatsServer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** A stream of NATS JetStream in a file. */
final class MeasuredNats implements MeasuredBroker {

  private static final String SUBJECT = "orders";
  private static final int WINDOW = 500;
  private static final int BATCH = 100;
  private static final int AHEAD = 1_000; // the server's default, which the bare consumer has
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final NatsServer server = NatsServer.start();

  @Override
  public String title() {
    return "NATS JetStream";
  }

  @Override
  public Publisher publisher() {
    return NatsPublisher.with(options());
  }

  @Override
  public void sendBare(List<byte[]> payloads) throws Exception {
    Connection connection = Nats.connect(options());
    try {
      JetStream stream = connection.jetStream();
      Deque<CompletableFuture<PublishAck>> onTheirWay = new ArrayDeque<>();
      for (byte[] payload : payloads) {
        if (onTheirWay.size() == WINDOW) {
          onTheirWay.remove().get();
        }
        onTheirWay.add(stream.publishAsync(SUBJECT, payload));
      }
      for (CompletableFuture<PublishAck> each : onTheirWay) {
        each.get();
      }
    } finally {
      connection.close();
    }
  }

  /** In no order, as the bare consumer does: in order, one message at a time is on its way. */
  @Override
  public RunningReceiver receive(BatchHandler handler) {
    return NatsReceiver.of(options(), SUBJECT, "receiver").unordered(AHEAD).start(handler);
  }

  @Override
  public void takeBare(int count, Work work) throws Exception {
    Connection connection = Nats.connect(options());
    try {
      JetStreamSubscription consumer =
          connection
              .jetStream()
              .subscribe(SUBJECT, PullSubscribeOptions.builder().durable("bare").build());
      int taken = 0;
      while (taken < count) {
        for (Message message : consumer.fetch(BATCH, PATIENCE)) {
          work.on(message.getData());
          message.ack();
          taken++;
        }
      }
      connection.flush(PATIENCE);
    } finally {
      connection.close();
    }
  }

  /** Makes the stream again, since an emptied one still drops ids that it has seen. */
  @Override
  public void clear() throws Exception {
    Connection connection = Nats.connect(options());
    try {
      JetStreamManagement streams = connection.jetStreamManagement();
      if (streams.getStreamNames().contains(SUBJECT)) {
        streams.deleteStream(SUBJECT);
      }
      streams.addStream(
          StreamConfiguration.builder()
              .name(SUBJECT)
              .subjects(SUBJECT)
              .storageType(StorageType.File)
              .build());
    } finally {
      connection.close();
    }
  }

  @Override
  public OptionalLong count() throws Exception {
    Connection connection = Nats.connect(options());
    try {
      return OptionalLong.of(
          connection.jetStreamManagement().getStreamInfo(SUBJECT).getStreamState().getMsgCount());
    } finally {
      connection.close();
    }
  }

  @Override
  public void close() {
    server.close();
  }

  private Options options() {
    return Options.builder().server("nats://127.0.0.1:" + server.port()).build();
  }
}
