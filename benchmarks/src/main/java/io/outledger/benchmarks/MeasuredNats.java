// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamManagement;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.PublishAck;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.outledger.nats.NatsPublisher;
import io.outledger.publish.Publisher;
import io.outledger.servers.NatsServer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A stream of NATS JetStream in a file. */
final class MeasuredNats implements MeasuredBroker {

  private static final String SUBJECT = "orders";
  private static final int WINDOW = 500;

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
  public long count() throws Exception {
    Connection connection = Nats.connect(options());
    try {
      return connection.jetStreamManagement().getStreamInfo(SUBJECT).getStreamState().getMsgCount();
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
