// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import io.outledger.Printable;
import io.outledger.receive.ReceiverSettings;
import io.outledger.receive.Redelivery;
import io.outledger.receive.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
  private static final int RECEIVES_MIN = 100;
  private static final Pattern RECEIVES =
      Pattern.compile("\"maxReceiveCount\"\\s*:\\s*\"?([0-9]{1,9})");

  private final SqsAsyncClient client;
  private final SqsQueue queue;
  private final Duration visibility;
  private final ReceiverSettings settings;
  private final SqsDeliveries.Unfinished unfinished = new SqsDeliveries.Unfinished();
  private @Nullable Redelivery redelivery;
  private boolean isChecked;

  SqsSession(
      SqsAsyncClient client, SqsQueue queue, Duration visibility, ReceiverSettings settings) {
    this.client = client;
    this.queue = queue;
    this.visibility = visibility;
    this.settings = settings;
  }

  /**
   * Finds the queue, and warns once about settings that lose or reorder messages.
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
    return SqsDeliveries.open(calls, visibility, settings, unfinished, redelivery);
  }

  private void check(SqsCalls calls) throws InterruptedException {
    try {
      Map<QueueAttributeName, String> attributes = calls.attributes().get();
      redelivery = redelivery(queue, attributes);
      warnings(queue, attributes).forEach(LOG::warn);
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
   * Returns a warning, with its remedy, for each setting of a queue that loses or reorders
   * messages.
   */
  static List<String> warnings(SqsQueue queue, Map<QueueAttributeName, String> attributes) {
    List<String> warnings = new ArrayList<>();
    Duration retention = seconds(attributes.get(QueueAttributeName.MESSAGE_RETENTION_PERIOD));
    if (retention != null && retention.compareTo(RETENTION_MIN) < 0) {
      warnings.add(
          "SQS deletes messages of '"
              + queue.given()
              + "' that nobody has taken for "
              + retention.toHours()
              + " h; set its MessageRetentionPeriod to 14 days (1209600)");
    }
    int receives = maxReceiveCount(attributes.get(QueueAttributeName.REDRIVE_POLICY));
    if (receives < RECEIVES_MIN) {
      warnings.add(
          "SQS moves a message of '"
              + queue.given()
              + "' to a dead-letter queue after "
              + receives
              + " receives, and each receiver that crashes, closes or loses its connection is one"
              + (queue.isFifo() ? "; those behind it overtake it" : "")
              + "; raise maxReceiveCount of its redrive policy to 1000, or remove the policy");
    }
    return warnings;
  }

  /** Returns how long a queue keeps a message, for the inbox to remember it; null if unknown. */
  static @Nullable Redelivery redelivery(
      SqsQueue queue, Map<QueueAttributeName, String> attributes) {
    Duration retention = seconds(attributes.get(QueueAttributeName.MESSAGE_RETENTION_PERIOD));
    return retention == null
        ? null
        : new Redelivery(
            "queue " + Printable.value(queue.given()) + " (MessageRetentionPeriod)", retention);
  }

  private static @Nullable Duration seconds(@Nullable String text) {
    return text == null ? null : Duration.ofSeconds(Long.parseLong(text));
  }

  private static int maxReceiveCount(@Nullable String policy) {
    Matcher found = RECEIVES.matcher(policy == null ? "" : policy);
    return found.find() ? Integer.parseInt(found.group(1)) : Integer.MAX_VALUE;
  }
}
