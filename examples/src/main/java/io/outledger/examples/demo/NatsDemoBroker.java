// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.outledger.servers.KillableServer;
import io.outledger.servers.NatsServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** NATS JetStream: a stream is a log, so what arrived can simply be read again. */
record NatsDemoBroker(NatsServer server) implements DemoBroker {

  /** What is asked of the server. */
  private interface Question<T> {
    T ask(JetStreamManagement streams) throws IOException, JetStreamApiException;
  }

  static DemoBroker start() {
    NatsDemoBroker broker = new NatsDemoBroker(NatsServer.start());
    for (String topic : List.of("orders", "stock")) {
      StreamConfiguration stream =
          StreamConfiguration.builder()
              .name(topic)
              .subjects(topic)
              .storageType(StorageType.File)
              .build();
      broker.ask(streams -> streams.addStream(stream));
    }
    return broker;
  }

  @Override
  public String title() {
    return "NATS JetStream";
  }

  @Override
  public String details() {
    return "streams orders and stock, in files";
  }

  @Override
  public Map<String, String> settings() {
    return Map.of("broker", "nats", "nats.url", url());
  }

  @Override
  public Optional<KillableServer> killable() {
    return Optional.of(server);
  }

  @Override
  public OptionalLong unreceived() {
    try {
      ConsumerInfo consumer = ask(streams -> streams.getConsumerInfo("orders", "inventory"));
      return OptionalLong.of(consumer.getNumPending() + consumer.getNumAckPending());
    } catch (IllegalStateException e) {
      return OptionalLong.of(0); // it is not there yet, or the server is down
    }
  }

  @Override
  public List<Arrival> read(String topic) {
    return ask(
        streams -> {
          long last = streams.getStreamInfo(topic).getStreamState().getLastSequence();
          List<Arrival> arrivals = new ArrayList<>();
          for (long sequence = 1; sequence <= last; sequence++) {
            MessageInfo message = streams.getMessage(topic, sequence);
            arrivals.add(arrival(topic, message));
          }
          return arrivals;
        });
  }

  @Override
  public List<String> commands() {
    return List.of("nats --server " + url() + " stream view orders");
  }

  @Override
  public void close() {
    server.close();
  }

  private static Arrival arrival(String topic, MessageInfo message) {
    return new Arrival(
        topic,
        message.getSeq(),
        UUID.fromString(message.getHeaders().getFirst("ce-id")),
        message.getHeaders().getFirst("ce-partitionkey"),
        message.getData());
  }

  private String url() {
    return "nats://127.0.0.1:" + server.port();
  }

  private <T> T ask(Question<T> question) {
    Options options = Options.builder().server(url()).maxReconnects(0).build();
    try {
      Connection connection = Nats.connect(options);
      try {
        return question.ask(connection.jetStreamManagement());
      } finally {
        connection.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (IOException | JetStreamApiException e) {
      throw new IllegalStateException(e);
    }
  }
}
