// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.outledger.servers.NatsServer;
import io.outledger.servers.TcpProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A server that clients reach through a faulty line, and an observer through a good one. */
final class ProxiedNats implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int PAGE = 100;

  final NatsServer server;
  final TcpProxy line;

  private ProxiedNats(NatsServer server) {
    this.server = server;
    this.line = TcpProxy.before(server.port());
  }

  static ProxiedNats start(String settings) {
    return new ProxiedNats(NatsServer.start(settings));
  }

  /** Where clients connect. */
  String address() {
    return "nats://127.0.0.1:" + line.port();
  }

  Options options() {
    return Options.builder().server(address()).build();
  }

  /** Opens an observer's connection, which goes past the line. */
  Connection connect() throws IOException, InterruptedException {
    return Nats.connect(
        Options.builder()
            .server("nats://127.0.0.1:" + server.port())
            .connectionTimeout(PATIENCE)
            .maxReconnects(0)
            .build());
  }

  /** What an observer asks or does. */
  @FunctionalInterface
  interface Question<T> {
    T ask(Connection connection) throws IOException, InterruptedException, JetStreamApiException;
  }

  <T> T ask(Question<T> question) throws IOException, InterruptedException, JetStreamApiException {
    Connection connection = connect();
    try {
      return question.ask(connection);
    } finally {
      NatsConnecting.close(connection);
    }
  }

  void createStream(String name, String... subjects)
      throws IOException, InterruptedException, JetStreamApiException {
    createStream(StreamConfiguration.builder().name(name).subjects(subjects));
  }

  void createStream(StreamConfiguration.Builder stream)
      throws IOException, InterruptedException, JetStreamApiException {
    ask(
        connection ->
            connection
                .jetStreamManagement()
                .addStream(stream.storageType(StorageType.File).build()));
  }

  void deleteStream(String name) throws IOException, InterruptedException, JetStreamApiException {
    ask(connection -> connection.jetStreamManagement().deleteStream(name));
  }

  /** Returns everything in a stream, in its order. */
  List<Message> messages(String stream)
      throws IOException, InterruptedException, JetStreamApiException {
    return ask(connection -> messages(connection, stream));
  }

  private static List<Message> messages(Connection connection, String stream)
      throws IOException, JetStreamApiException {
    long count =
        connection.jetStreamManagement().getStreamInfo(stream).getStreamState().getMsgCount();
    ConsumerConfiguration noAcks =
        ConsumerConfiguration.builder().ackPolicy(AckPolicy.None).build();
    JetStreamSubscription all =
        connection
            .jetStream()
            .subscribe(
                null, PullSubscribeOptions.builder().stream(stream).configuration(noAcks).build());
    List<Message> found = new ArrayList<>();
    while (found.size() < count) {
      int page = (int) Math.min(PAGE, count - found.size());
      found.addAll(all.fetch(page, PATIENCE));
    }
    return found;
  }

  @Override
  public void close() {
    line.close();
    server.close();
  }
}
