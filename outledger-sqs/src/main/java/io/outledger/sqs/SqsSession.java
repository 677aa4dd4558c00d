// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import io.outledger.receive.ReceiverSettings;
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
  private boolean isChecked;

  SqsSession(
      SqsAsyncClient client, SqsQueue queue, Duration visibility, ReceiverSettings settings) {
    this.client = client;
    this.queue = queue;
    this.visibility = visibility;
    this.settings = settings;
  }

  /**
   * Finds the queue, and says once what of it is to be feared.
   *
   * @throws io.outledger.publish.DestinationUnavailableException if that is not possible now
   */
  SqsDeliveries open() throws InterruptedException {
    SqsCalls calls = SqsCalls.open(client, queue);
    if (!isChecked) {
      check(calls);
      isChecked = true;
    }
    return SqsDeliveries.open(calls, visibility, settings, unfinished);
  }

  private void check(SqsCalls calls) throws InterruptedException {
    try {
      warnings(queue, calls.attributes().get()).forEach(LOG::warn);
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof AwsServiceException)) {
        throw AwsFailures.unavailable(queue.given(), e);
      }
      LOG.info(
          "cannot see whether SQS would take messages away: {}",
          AwsFailures.unavailable(queue.given(), e).getMessage());
    }
  }

  /**
   * Returns what of a queue is to be feared, each with its remedy; none for a queue that loses
   * nothing.
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

  private static @Nullable Duration seconds(@Nullable String text) {
    return text == null ? null : Duration.ofSeconds(Long.parseLong(text));
  }

  private static int maxReceiveCount(@Nullable String policy) {
    Matcher found = RECEIVES.matcher(policy == null ? "" : policy);
    return found.find() ? Integer.parseInt(found.group(1)) : Integer.MAX_VALUE;
  }
}
