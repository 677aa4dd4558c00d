// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** What a queue's attributes say about messages that SQS would take away from a receiver. */
final class QueueCheck {

  private static final Duration RETENTION_MIN = Duration.ofDays(4);
  private static final int RECEIVES_MIN = 100;
  private static final Pattern RECEIVES =
      Pattern.compile("\"maxReceiveCount\"\\s*:\\s*\"?([0-9]{1,9})");

  private QueueCheck() {}

  /** Returns what is to be feared, each with its remedy; none for a queue that loses nothing. */
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
