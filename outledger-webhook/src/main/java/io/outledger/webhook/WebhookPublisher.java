// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.cloudevents.CloudEvents;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Posts messages to HTTP endpoints as CloudEvents 1.0, signed as the Standard Webhooks
 * specification describes it. A status from 200 to 299 alone is success.
 *
 * <p>Messages of one key are posted one after the other, those of different keys side by side. The
 * message's id is in the header {@code webhook-id}; receivers use it to take effect once, since
 * after a crash or a lost answer the message is posted again.
 *
 * <p>With one endpoint for everything ({@link #to}) an endpoint that cannot be reached is an outage
 * of the route. With endpoints by topic ({@link #endpoint}) it concerns the messages of its topics
 * alone: they are kept back, one at a time probes, and no attempts are counted.
 *
 * <p>A message at which the endpoint cuts the connection, or does not answer, each time while it
 * accepts others, is a failed attempt and no outage: the relay compares what becomes of them.
 *
 * <p>Immutable and thread-safe; each setter returns a copy. The system's proxy settings, cookies
 * and redirections are not followed.
 */
public final class WebhookPublisher implements Publisher {

  private static final int THREADS_DEFAULT = 16;
  private static final int THREADS_MAX = 1_000;

  private final @Nullable WebhookEndpoint others;
  private final Map<String, WebhookEndpoint> byTopic;
  private final String source;
  private final int threads;
  private final TimeSource time;

  private WebhookPublisher(
      @Nullable WebhookEndpoint others,
      Map<String, WebhookEndpoint> byTopic,
      String source,
      int threads,
      TimeSource time) {
    this.others = others;
    this.byTopic = byTopic;
    this.source = source;
    this.threads = threads;
    this.time = time;
  }

  /** Makes a publisher that posts the messages of all topics to one endpoint. */
  public static WebhookPublisher to(WebhookEndpoint endpoint) {
    return new WebhookPublisher(
        Require.nonNull("endpoint", endpoint),
        Map.of(),
        CloudEvents.SOURCE_DEFAULT,
        THREADS_DEFAULT,
        TimeSource.system());
  }

  /**
   * Makes a publisher that knows an endpoint for each topic; add topics with {@link #endpoint}.
   * Messages of a topic without one are kept back until there is one.
   */
  public static WebhookPublisher byTopic() {
    return new WebhookPublisher(
        null, Map.of(), CloudEvents.SOURCE_DEFAULT, THREADS_DEFAULT, TimeSource.system());
  }

  /** Returns a publisher that posts the messages of a topic to an endpoint of their own. */
  public WebhookPublisher endpoint(String topic, WebhookEndpoint endpoint) {
    Map<String, WebhookEndpoint> all = new TreeMap<>(byTopic);
    all.put(Require.nonNull("topic", topic), Require.nonNull("endpoint", endpoint));
    return new WebhookPublisher(others, all, source, threads, time);
  }

  /**
   * Returns a publisher with another CloudEvents source: who the messages are from. Receivers take
   * source and id together for a message's identity, so a source is not changed lightly.
   *
   * @param uri a URI reference of at most 200 characters; the default is {@code /outledger}
   * @throws ConfigurationException {@code OUT-021} if it is not a URI reference
   */
  public WebhookPublisher source(String uri) {
    return new WebhookPublisher(others, byTopic, CloudEvents.checkedSource(uri), threads, time);
  }

  /**
   * Returns a publisher that posts with this number of threads, and so of requests side by side. A
   * slow endpoint may hold all of them: give it a route of its own.
   *
   * @param value 1 to 1,000; the default is 16
   * @throws ConfigurationException {@code OUT-021} if it is out of range
   */
  public WebhookPublisher threads(int value) {
    if (value < 1 || value > THREADS_MAX) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, "threads must be 1 to 1,000, not " + value);
    }
    return new WebhookPublisher(others, byTopic, source, value, time);
  }

  /** Returns a publisher with another clock. The default is {@link TimeSource#system()}. */
  public WebhookPublisher time(TimeSource value) {
    return new WebhookPublisher(others, byTopic, source, threads, Require.nonNull("time", value));
  }

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.ONE_AT_A_TIME;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    return new WebhookClient(this, deliveryTimeMax, outcomes);
  }

  @Nullable WebhookEndpoint others() {
    return others;
  }

  Map<String, WebhookEndpoint> endpoints() {
    return byTopic;
  }

  /** Says whether one endpoint takes everything, so that its outage is the route's. */
  boolean hasOneEndpoint() {
    return byTopic.isEmpty();
  }

  String sourceUri() {
    return source;
  }

  int threadCount() {
    return threads;
  }

  TimeSource clock() {
    return time;
  }

  /** Names the endpoints, without paths, queries and headers, which may be secret. */
  @Override
  public String toString() {
    return "WebhookPublisher[" + (others == null ? "" : others + " ") + byTopic + "]";
  }
}
