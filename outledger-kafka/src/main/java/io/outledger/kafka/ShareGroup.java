// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.ConfigurationException;
import io.outledger.Printable;
import io.outledger.publish.DestinationUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** What Kafka's cluster says of a share group and its topics. */
final class ShareGroup implements AutoCloseable {

  private final Admin admin;
  private final ShareGroupSettings settings;
  private final Duration patience;

  /**
   * Makes one.
   *
   * @param admin asks; closed with this
   * @param patience how long to wait for an answer
   */
  ShareGroup(Admin admin, ShareGroupSettings settings, Duration patience) {
    this.admin = admin;
    this.settings = settings;
    this.patience = patience;
  }

  /**
   * Checks the group's settings.
   *
   * @return how often Kafka delivers a record before it gives it up
   * @throws ConfigurationException {@code OUT-021} if they are not safe, with what to do
   * @throws DestinationUnavailableException if Kafka does not answer
   */
  int deliveriesMax() throws InterruptedException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.GROUP, settings.group());
    Config config;
    try {
      config =
          answer(
              Objects.requireNonNull(
                  admin.describeConfigs(List.of(resource)).values().get(resource)));
    } catch (ExecutionException e) {
      throw refused(cause(e));
    }
    return settings.deliveriesMax(config);
  }

  private static Throwable cause(ExecutionException failed) {
    Throwable cause = failed.getCause();
    return cause == null ? failed : cause;
  }

  private RuntimeException refused(Throwable failure) {
    ConfigurationException ours = settings.refused(failure);
    return ours == null ? unavailable(failure) : ours;
  }

  private DestinationUnavailableException unavailable(Throwable failure) {
    return new DestinationUnavailableException(
        KafkaOutcomes.noAnswer(settings.servers()) + ": " + Printable.text(failure), failure);
  }

  /**
   * Returns what is wrong with topics, by their names, where something is.
   *
   * @throws DestinationUnavailableException if Kafka does not answer
   */
  Map<String, String> troubled(List<String> topics) throws InterruptedException {
    Map<String, String> troubled = new TreeMap<>();
    Map<String, KafkaFuture<TopicDescription>> answers =
        admin.describeTopics(topics).topicNameValues();
    for (Map.Entry<String, KafkaFuture<TopicDescription>> topic : answers.entrySet()) {
      try {
        answer(topic.getValue());
      } catch (ExecutionException e) {
        troubled.put(topic.getKey(), trouble(cause(e)));
      }
    }
    return troubled;
  }

  private String trouble(Throwable failure) {
    if (failure instanceof UnknownTopicOrPartitionException) {
      return "does not exist; create it: receiving creates none";
    }
    if (failure instanceof AuthorizationException) {
      return "may not be read; give this user the rights Describe and Read for it";
    }
    throw unavailable(failure);
  }

  private <T> T answer(KafkaFuture<T> coming) throws ExecutionException, InterruptedException {
    try {
      return coming.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw unavailable(e);
    }
  }

  @Override
  public void close() {
    admin.close(Duration.ZERO);
  }
}
