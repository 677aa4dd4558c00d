// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.servers.KillableServer;
import io.outledger.servers.PulsarServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.AuthenticationFactory;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.Reader;

/** Pulsar: a topic keeps what was acknowledged, so what arrived can simply be read again. */
record PulsarDemoBroker(PulsarServer server) implements DemoBroker {

  private static final int PARTITIONS = 3;
  private static final String NAMESPACE = "public/default";
  private static final String EVERYTHING =
      "{\"retentionTimeInMinutes\":-1,\"retentionSizeInMB\":-1}";

  static DemoBroker start() {
    PulsarServer server = PulsarServer.start();
    server.admin("POST", "namespaces/" + NAMESPACE + "/retention", EVERYTHING);
    for (String topic : List.of("orders", "stock")) {
      server.admin("PUT", "persistent/" + NAMESPACE + "/" + topic + "/partitions", "" + PARTITIONS);
    }
    return new PulsarDemoBroker(server);
  }

  @Override
  public String title() {
    return "Apache Pulsar";
  }

  @Override
  public String details() {
    return "topics orders and stock, " + PARTITIONS + " partitions each";
  }

  @Override
  public Map<String, String> settings() {
    return Map.of("broker", "pulsar", "pulsar.url", server.url(), "pulsar.token", token());
  }

  @Override
  public Optional<KillableServer> killable() {
    return Optional.of(server);
  }

  /** Empty: a backlog counts what was delivered and may be handled already. */
  @Override
  public OptionalLong unreceived() {
    return OptionalLong.empty();
  }

  @Override
  public List<Arrival> read(String topic) {
    try (PulsarClient client =
            PulsarClient.builder()
                .serviceUrl(server.url())
                .authentication(AuthenticationFactory.token(token()))
                .build();
        Reader<byte[]> reader =
            client.newReader().topic(topic).startMessageId(MessageId.earliest).create()) {
      List<Arrival> arrivals = new ArrayList<>();
      Map<String, Long> offsets = new HashMap<>();
      while (reader.hasMessageAvailable()) {
        Message<byte[]> message = reader.readNext(1, TimeUnit.SECONDS);
        if (message != null) {
          String partition = message.getTopicName();
          arrivals.add(arrival(partition, offsets.merge(partition, 1L, Long::sum), message));
        }
      }
      return arrivals;
    } catch (IOException e) { // as all of the client's
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public List<String> commands() {
    return List.of(
        "pulsar-client --url "
            + server.url()
            + " --auth-plugin org.apache.pulsar.client.impl.auth.AuthenticationToken"
            + " --auth-params token:"
            + token()
            + " read -n 0 orders");
  }

  @Override
  public void close() {
    server.close();
  }

  private static Arrival arrival(String partition, long offset, Message<byte[]> message) {
    return new Arrival(
        partition,
        offset,
        UUID.fromString(message.getProperty("ce_id")),
        message.getKey(),
        message.getData());
  }

  private static String token() {
    return PulsarServer.token(PulsarServer.ADMIN);
  }
}
