// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import io.outledger.Printable;
import io.outledger.receive.DeliveryLimit;
import io.outledger.receive.ReceiverSettings;
import io.outledger.receive.Redelivery;
import io.outledger.receive.Window;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** What a running receiver keeps from one opening of its queue to the next. For one thread. */
final class SqsSession {

  private static final Logger LOG = LoggerFactory.getLogger(SqsSession.class);

  private static final Duration RETENTION_MIN = Duration.ofDays(4);
  private static final Pattern RECEIVES =
      Pattern.compile("\"maxReceiveCount\"\\s*:\\s*\"?([0-9]{1,9})");

  private final SqsAsyncClient client;
  private final SqsQueue queue;
  private final Duration visibility;
  private final ReceiverSettings settings;
  private final SqsDeliveries.Unfinished unfinished = new SqsDeliveries.Unfinished();
  private SqsDeliveries.Told told = SqsDeliveries.Told.NOTHING;
  private boolean isChecked;

  SqsSession(
      SqsAsyncClient client, SqsQueue queue, Duration visibility, ReceiverSettings settings) {
    this.client = client;
    this.queue = queue;
    this.visibility = visibility;
    this.settings = settings;
  }

  /**
   * Finds the queue, and reads once what it says of itself.
   *
   * @param window one where the last polls may have failed at a message that the SDK cannot read
   * @throws io.outledger.publish.DestinationUnavailableException if that is not possible now
   */
  SqsDeliveries open(Window window) throws InterruptedException {
    SqsCalls calls = SqsCalls.open(client, queue, window);
    if (!isChecked) {
      check(calls);
      isChecked = true;
    }
    return SqsDeliveries.open(calls, visibility, settings, unfinished, told);
  }

  private void check(SqsCalls calls) throws InterruptedException {
    try {
      Map<QueueAttributeName, String> attributes = calls.attributes().get();
      told = told(queue, attributes);
      String tooShort = warning(queue, attributes);
      if (tooShort != null) {
        LOG.warn(tooShort);
      }
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof AwsServiceException)) {
        throw AwsOutcomes.unavailable(queue.given(), e);
      }
      LOG.info(
          "cannot see whether SQS would take messages away: {}",
          AwsOutcomes.unavailable(queue.given(), e).getMessage());
    }
  }

  /**
   * Returns a warning, with its remedy, where a queue soon deletes messages; null if it does not.
   */
  static @Nullable String warning(SqsQueue queue, Map<QueueAttributeName, String> attributes) {
    Duration retention = retention(attributes);
    if (retention == null || retention.compareTo(RETENTION_MIN) >= 0) {
      return null;
    }
    return "SQS deletes messages of '"
        + queue.given()
        + "' that nobody has taken for "
        + retention.toHours()
        + " h; set its MessageRetentionPeriod to 14 days (1209600)";
  }

  /** Returns for how long and how often a queue delivers a message, by its attributes. */
  static SqsDeliveries.Told told(SqsQueue queue, Map<QueueAttributeName, String> attributes) {
    return new SqsDeliveries.Told(
        redelivery(queue, retention(attributes)),
        limit(queue, attributes.getOrDefault(QueueAttributeName.REDRIVE_POLICY, "")));
  }

  private static @Nullable Redelivery redelivery(SqsQueue queue, @Nullable Duration retention) {
    return retention == null
        ? null
        : new Redelivery(
            "queue " + Printable.value(queue.given()) + " (MessageRetentionPeriod)", retention);
  }

  private static @Nullable DeliveryLimit limit(SqsQueue queue, String policy) {
    Matcher found = RECEIVES.matcher(policy);
    if (!found.find()) {
      return null;
    }
    int receives = Integer.parseInt(found.group(1));
    String words =
        "SQS moves a message of '"
            + Printable.value(queue.given())
            + "' to a dead-letter queue after "
            + receives
            + " receives, and each receiver that crashes, closes or loses its connection is one"
            + (queue.isFifo() ? "; those behind it overtake it" : "")
            + "; raise maxReceiveCount of its redrive policy to 1000, or remove the policy";
    return new DeliveryLimit(receives, words);
  }

  private static @Nullable Duration retention(Map<QueueAttributeName, String> attributes) {
    String seconds = attributes.get(QueueAttributeName.MESSAGE_RETENTION_PERIOD);
    return seconds == null ? null : Duration.ofSeconds(Long.parseLong(seconds));
  }
}
