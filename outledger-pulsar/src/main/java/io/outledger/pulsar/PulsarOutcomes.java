// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import io.outledger.publish.Outcome;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.PulsarClientException.AuthorizationException;
import org.apache.pulsar.client.api.PulsarClientException.BrokerMetadataException;
import org.apache.pulsar.client.api.PulsarClientException.IncompatibleSchemaException;
import org.apache.pulsar.client.api.PulsarClientException.InvalidMessageException;
import org.apache.pulsar.client.api.PulsarClientException.InvalidTopicNameException;
import org.apache.pulsar.client.api.PulsarClientException.NotAllowedException;
import org.apache.pulsar.client.api.PulsarClientException.NotFoundException;
import org.apache.pulsar.client.api.PulsarClientException.ProducerBlockedQuotaExceededError;
import org.apache.pulsar.client.api.PulsarClientException.ProducerBlockedQuotaExceededException;
import org.apache.pulsar.client.api.PulsarClientException.ProducerBusyException;
import org.apache.pulsar.client.api.PulsarClientException.ProducerFencedException;
import org.apache.pulsar.client.api.PulsarClientException.TopicDoesNotExistException;
import org.apache.pulsar.client.api.PulsarClientException.TopicTerminatedException;
import org.jspecify.annotations.Nullable;

/** Says of a failure whether the message, its topic or the whole destination is to blame. */
final class PulsarOutcomes {

  private static final int REASON_CHARS_MAX = 500;

  private PulsarOutcomes() {}

  /** Returns the outcome of messages for which there is no producer: none of them was sent. */
  static Outcome noProducer(@Nullable Throwable thrown, String topic) {
    Throwable failure = cause(thrown);
    String reason = reason("no producer for topic '" + topic + "'", failure);
    if (failure instanceof InvalidTopicNameException
        || failure instanceof IllegalArgumentException) {
      return Outcome.refused(reason + "; map the topic with PulsarPublisher.topics");
    }
    if (isTopics(failure)) {
      return Outcome.topicUnavailable(reason);
    }
    return isOverdue(failure) ? Outcome.unanswered(reason) : Outcome.unreachable(reason);
  }

  /** Returns the outcome of a message that a producer took, and that was not acknowledged. */
  static Outcome notAcknowledged(Throwable thrown, String topic) {
    Throwable failure = cause(thrown);
    String reason = reason("not acknowledged on topic '" + topic + "'", failure);
    if (failure instanceof InvalidMessageException || failure instanceof NotAllowedException) {
      return Outcome.rejected(
          reason + "; if it is too large, raise maxMessageSize of brokers and bookies");
    }
    return failure instanceof TopicTerminatedException
        ? Outcome.topicUnavailable(reason)
        : Outcome.unavailable(reason);
  }

  static boolean isTopicToBlame(Outcome outcome) {
    return outcome instanceof Outcome.Rejected rejected
        && rejected.kind() == Outcome.Rejected.Kind.TOPIC;
  }

  private static boolean isTopics(Throwable failure) {
    return failure instanceof TopicDoesNotExistException
        || failure instanceof NotFoundException
        || failure instanceof AuthorizationException
        || failure instanceof TopicTerminatedException
        || failure instanceof ProducerBlockedQuotaExceededError
        || failure instanceof ProducerBlockedQuotaExceededException
        || failure instanceof ProducerBusyException
        || failure instanceof ProducerFencedException
        || failure instanceof NotAllowedException
        || failure instanceof IncompatibleSchemaException
        || failure instanceof BrokerMetadataException;
  }

  private static boolean isOverdue(Throwable failure) {
    return failure instanceof TimeoutException
        || failure instanceof PulsarClientException.TimeoutException;
  }

  private static Throwable cause(@Nullable Throwable thrown) {
    Throwable failure = thrown;
    while (failure instanceof CompletionException && failure.getCause() != null) {
      failure = failure.getCause();
    }
    return failure == null ? new IllegalStateException("no producer and no reason") : failure;
  }

  private static String reason(String what, Throwable failure) {
    String why =
        failure instanceof TimeoutException // ours, without a text
            ? "no answer in time"
            : failure.getClass().getSimpleName() + ": " + failure.getMessage();
    String text = what + ": " + why;
    return text.length() <= REASON_CHARS_MAX ? text : text.substring(0, REASON_CHARS_MAX);
  }
}
