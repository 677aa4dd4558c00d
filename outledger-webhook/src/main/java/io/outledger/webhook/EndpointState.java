// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import io.outledger.Printable;
import io.outledger.publish.Outcome;
import io.outledger.time.TimeSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What an endpoint has asked for: to be left alone for a time, or for good. Thread-safe. */
final class EndpointState {

  private final WebhookEndpoint endpoint;
  private final boolean isSole;
  private final TimeSource time;
  private @Nullable Outcome gone; // guarded by this, as all below
  private boolean isLeftAlone;
  private long until;

  EndpointState(WebhookEndpoint endpoint, boolean isSole, TimeSource time) {
    this.endpoint = endpoint;
    this.isSole = isSole;
    this.time = time;
  }

  WebhookEndpoint endpoint() {
    return endpoint;
  }

  /** Returns the outcome of a message that must not be sent now; null where it may be. */
  synchronized @Nullable Outcome refusal() {
    if (gone != null) {
      return gone;
    }
    if (isLeftAlone && time.nanoTime() - until < 0) {
      return away(endpoint + " asked to be left alone for a while (Retry-After)");
    }
    isLeftAlone = false;
    return null;
  }

  /** Notes an answer, and returns what it means for the message. */
  synchronized Outcome answered(Answer answer) {
    Outcome outcome = answer.outcome(isSole, endpoint);
    if (answer.meaning() == Answer.Meaning.GONE) {
      gone = outcome;
    }
    Duration pause = answer.retryAfter();
    if (answer.meaning() == Answer.Meaning.AWAY && !pause.isZero()) {
      isLeftAlone = true;
      until = time.nanoTime() + pause.toNanos();
    }
    return outcome;
  }

  /** Returns that the endpoint cannot be reached, and that a message was certainly not sent. */
  Outcome away(String reason) {
    return isSole ? Outcome.unreachable(reason) : Outcome.topicUnavailable(reason);
  }

  /**
   * Returns that an endpoint that has been sent a message did not answer in time. It would be as
   * slow at each attempt, and the messages behind it would wait for ever: that is a failed attempt
   * and no outage.
   */
  Outcome late(Duration limit) {
    return Outcome.suspect(
        endpoint
            + " did not answer within "
            + Printable.span(limit)
            + ", and may have the message; if it needs longer, raise its timeout ("
            + Printable.span(endpoint.choices().timeout())
            + "), and the relay's lease to more than twice that");
  }

  /** Returns that a message may have arrived or not. */
  Outcome unknown(String reason) {
    return isSole ? Outcome.unavailable(reason) : Outcome.topicUnavailable(reason);
  }
}
