// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import io.outledger.Message;
import io.outledger.Require;
import io.outledger.publish.AsyncClient;
import io.outledger.publish.Outcomes;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A client that sends what it was handed in batches. */
final class BatchClient implements PublisherClient {

  private final Batches batches;
  private final AsyncClient<Batches> client;

  /**
   * What users choose.
   *
   * @param source the CloudEvents source
   * @param naming from a message's topic to the name of where it goes
   */
  record Choices(String source, UnaryOperator<String> naming) {}

  private BatchClient(Batches batches, Duration deliveryTimeMax, Outcomes outcomes) {
    this.batches = batches;
    this.client = new AsyncClient<>(batches, deliveryTimeMax, outcomes);
  }

  /**
   * Opens a client.
   *
   * @param service from the longest time of a request to what takes batches
   */
  static BatchClient open(
      Function<Duration, BatchService> service,
      Choices choices,
      Duration deliveryTimeMax,
      Outcomes outcomes) {
    // A request ends before its messages' time does, so that its connection is free again.
    Duration requestTimeMax =
        Require.nonNull("deliveryTimeMax", deliveryTimeMax).dividedBy(4).multipliedBy(3);
    Batches batches =
        new Batches(
            service.apply(requestTimeMax), new SqsBinding(choices.source()), choices.naming());
    return new BatchClient(batches, deliveryTimeMax, outcomes);
  }

  @Override
  public void publish(long position, int attempt, Message message) {
    client.publish(position, attempt, message);
  }

  @Override
  public void flush() {
    batches.flush();
  }

  @Override
  public Set<Long> recall() {
    return Set.of();
  }

  @Override
  public void close() {
    client.close();
  }
}
