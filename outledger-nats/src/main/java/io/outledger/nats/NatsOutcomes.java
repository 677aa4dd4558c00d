// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamStatusException;
import io.nats.client.Message;
import io.nats.client.api.PublishAck;
import io.outledger.publish.Outcome;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What an answer of NATS, or its absence, means for a message. */
final class NatsOutcomes {

  private static final int NO_RESPONDERS = 503;

  private NatsOutcomes() {}

  static Outcome outcome(String subject, Message answer) {
    try {
      // A duplicate is an acknowledgement too: the stream has the message.
      String unused = new PublishAck(answer).getStream();
      return Outcome.PUBLISHED;
    } catch (JetStreamApiException e) {
      return refused(subject, e);
    } catch (IOException e) {
      return notByAStream(subject);
    }
  }

  private static Outcome notByAStream(String subject) {
    return Outcome.topicUnavailable(
        "what answered on NATS subject '"
            + subject
            + "' is not a stream; create a stream that includes the subject");
  }

  /** By JetStream's own error codes, which are stable; their texts are not. */
  private static Outcome refused(String subject, JetStreamApiException error) {
    String said =
        "JetStream answered "
            + error.getApiErrorCode()
            + " on subject '"
            + subject
            + "': "
            + error.getErrorDescription();
    return switch (error.getApiErrorCode()) {
      case io.nats.client.api.Error.NOT_SET -> notByAStream(subject); // no JSON, or no code
      case 10054 -> Outcome.rejected(said + "; raise max_msg_size of the stream");
      // no cluster leader, not the leader, JetStream not enabled for the account or the server
      case 10008, 10009, 10039, 10076 -> Outcome.unreachable(said);
      // limits of the account, memory or disk; a stream that is full or sealed
      case 10002, 10023, 10028, 10047, 10077, 10109 -> Outcome.topicUnavailable(said);
      default -> Outcome.suspect(said);
    };
  }

  static Outcome failed(String subject, @Nullable Throwable failure) {
    if (failure instanceof JetStreamStatusException status
        && status.getStatus().getCode() == NO_RESPONDERS) {
      return Outcome.topicUnavailable(
          "no stream takes NATS subject '"
              + subject
              + "'; create one that includes it (publishing creates none)");
    }
    return Outcome.unavailable("the connection to NATS ended before it answered: " + failure);
  }

  /** Nobody answered in time: the relay sees whether others were answered. */
  static Outcome silence(String subject, Duration waited) {
    return Outcome.unanswered(
        "no acknowledgement from NATS on subject '"
            + subject
            + "' for "
            + waited.toMillis()
            + " ms; does a stream include the subject?");
  }

  static Outcome denied(String error) {
    return Outcome.topicUnavailable("NATS: " + error + "; give the user the right to publish");
  }

  static Outcome tooLarge(long bytes, long bytesMax) {
    return Outcome.rejected(
        "the message has "
            + bytes
            + " bytes with its headers, more than the "
            + bytesMax
            + " that the NATS server accepts; raise its max_payload");
  }
}
