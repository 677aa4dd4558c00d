// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.servers.ElasticMq;
import io.outledger.servers.KillableServer;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * ElasticMQ, which speaks as SQS does: a queue forgets what was received, so it copies each message
 * into a second one.
 */
record SqsDemoBroker(ElasticMq server) implements DemoBroker {

  private static final int MESSAGES_MAX = 10;

  static DemoBroker start() {
    return new SqsDemoBroker(
        ElasticMq.start(
            new ElasticMq.Queue("copy-orders.fifo", null),
            new ElasticMq.Queue("copy-stock.fifo", null),
            new ElasticMq.Queue("orders.fifo", "copy-orders.fifo"),
            new ElasticMq.Queue("stock.fifo", "copy-stock.fifo")));
  }

  @Override
  public String title() {
    return "ElasticMQ";
  }

  @Override
  public String details() {
    return "FIFO queues orders and stock of SQS; not killed: it keeps them in memory";
  }

  @Override
  public Map<String, String> settings() {
    return Map.of("broker", "sqs", "sqs.endpoint", server.endpoint());
  }

  @Override
  public Optional<KillableServer> killable() {
    return Optional.empty();
  }

  /** Empty: the server's own counts are approximate. */
  @Override
  public OptionalLong unreceived() {
    return OptionalLong.empty();
  }

  @Override
  public List<Arrival> read(String topic) {
    List<Arrival> arrivals = new ArrayList<>();
    try (SqsAsyncClient client = client()) {
      String url =
          client.getQueueUrl(q -> q.queueName("copy-" + topic + ".fifo")).join().queueUrl();
      for (List<Message> some = take(client, url); !some.isEmpty(); some = take(client, url)) {
        some.forEach(message -> arrivals.add(arrival(topic, arrivals.size(), message)));
      }
    }
    return arrivals;
  }

  @Override
  public List<String> commands() {
    return List.of("(counting has emptied the queues copy-orders.fifo and copy-stock.fifo)");
  }

  @Override
  public void close() {
    server.close();
  }

  private static List<Message> take(SqsAsyncClient client, String url) {
    List<Message> messages =
        client
            .receiveMessage(
                request ->
                    request
                        .queueUrl(url)
                        .maxNumberOfMessages(MESSAGES_MAX)
                        .messageAttributeNames("All"))
            .join()
            .messages();
    for (Message message : messages) {
      client.deleteMessage(d -> d.queueUrl(url).receiptHandle(message.receiptHandle())).join();
    }
    return messages;
  }

  private static Arrival arrival(String topic, long offset, Message message) {
    return new Arrival(
        topic,
        offset,
        UUID.fromString(attribute(message, "ce_id")),
        attribute(message, "ce_partitionkey"),
        message.body().getBytes(UTF_8));
  }

  private static String attribute(Message message, String name) {
    return Objects.requireNonNull(message.messageAttributes().get(name), name).stringValue();
  }

  private SqsAsyncClient client() {
    return SqsAsyncClient.builder()
        .endpointOverride(URI.create(server.endpoint()))
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any")))
        .build();
  }
}
