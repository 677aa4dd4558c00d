// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.publish.Outcome;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.InvalidMetadataException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Says of a failure whether the message, its topic or the whole destination is to blame. */
final class KafkaOutcomes {

  private static final int REASON_CHARS_MAX = 500;

  private KafkaOutcomes() {}

  /**
   * Returns the outcome of a failed send. What is not known for certain to be the message's or the
   * topic's own fault leaves the fate unknown, and is the destination's.
   */
  static Outcome outcome(Exception failure) {
    String reason = reason(failure);
    if (failure instanceof RecordTooLargeException
        || failure instanceof RecordBatchTooLargeException
        || failure instanceof InvalidRecordException
        || failure instanceof InvalidTimestampException
        || failure instanceof PolicyViolationException) {
      return Outcome.rejected(reason);
    }
    if (failure instanceof InvalidTopicException
        || failure instanceof SerializationException
        || failure instanceof InvalidMessageException) {
      return Outcome.refused(reason);
    }
    if (isTopicToBlame(failure)) {
      return Outcome.topicUnavailable(reason);
    }
    return Outcome.unavailable(reason);
  }

  /**
   * Returns the outcome of a message that was never handed to the producer, since its topic could
   * not be looked up.
   */
  static Outcome notFound(Throwable failure, String servers) {
    if (failure instanceof Exception exception
        && outcome(exception) instanceof Outcome.Rejected rejected) {
      return rejected;
    }
    return Outcome.unreachable(shortened(noAnswer(servers) + ": " + failure));
  }

  /** Says what is wrong where nobody answers, and what to look at: all of Kafka's do so. */
  static String noAnswer(String servers) {
    return "no answer from Kafka at "
        + servers
        + "; check bootstrap.servers, and whether the brokers can be reached from here";
  }

  /**
   * Returns the outcome of a message that the producer did not take. Where it has forgotten the
   * topic, and has not heard why in the little time that it waits, the topic may be gone, and so
   * may Kafka: the next client asks.
   */
  static Outcome notTaken(Exception failure, String servers) {
    return isExpired(failure)
        ? Outcome.unavailable("no metadata yet from Kafka at " + servers)
        : outcome(failure);
  }

  /** Says whether the producer gave a message up because its time was over, and not why. */
  static boolean isExpired(Exception failure) {
    return failure instanceof TimeoutException
        && !(failure instanceof BufferExhaustedException)
        && !isTopicUnknown(failure);
  }

  /** Returns the outcome of a message that was alone on its way and was not taken in its time. */
  static Outcome unanswered(String topic, DeliveryTimes times) {
    return Outcome.unanswered(
        "Kafka has not taken a message of topic "
            + topic
            + " within "
            + times.deliveryMs()
            + " ms; where it takes those of other topics, see whether this one has as many in-sync"
            + " replicas as its min.insync.replicas asks for, and a leader that answers");
  }

  /** Returns the outcome of a message that could not be made into a record of Kafka. */
  static Outcome unwritable(RuntimeException failure) {
    return Outcome.refused(reason(failure));
  }

  private static boolean isTopicToBlame(Exception failure) {
    return failure instanceof TopicAuthorizationException || isTopicUnknown(failure);
  }

  /**
   * Says whether the broker answered that it has no such topic, or no leader for it. The producer
   * waits for the topic, and tells what the broker said as the cause of its time-out.
   */
  private static boolean isTopicUnknown(Exception failure) {
    return failure instanceof UnknownTopicOrPartitionException
        || (failure instanceof TimeoutException
            && failure.getCause() instanceof InvalidMetadataException);
  }

  private static String reason(Exception failure) {
    String remedy = remedy(failure);
    return shortened(failure.getClass().getSimpleName() + ": " + failure.getMessage() + remedy);
  }

  private static String remedy(Exception failure) {
    if (failure instanceof UnknownTopicOrPartitionException) {
      return " Create the topic: publishing creates none.";
    }
    if (failure instanceof RecordTooLargeException) {
      return " "
          + ErrorCode.PAYLOAD_TOO_LARGE.code()
          + ": raise max.request.size of the publisher and max.message.bytes of the topic.";
    }
    return "";
  }

  private static String shortened(String text) {
    return text.length() <= REASON_CHARS_MAX ? text : text.substring(0, REASON_CHARS_MAX);
  }
}
