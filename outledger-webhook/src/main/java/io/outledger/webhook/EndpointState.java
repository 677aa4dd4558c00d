// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import io.outledger.Printable;
import io.outledger.publish.Outcome;
import io.outledger.time.TimeSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Whether an endpoint has asked for a pause, or for no more messages at all. Thread-safe. */
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

  /** Returns the outcome of a message that must not be sent now; null if it may be sent. */
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

  /** Records what an answer asks for, and returns the outcome of its message. */
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

  /** Returns the outcome of a message that was certainly not sent: the endpoint is unreachable. */
  Outcome away(String reason) {
    return isSole ? Outcome.unreachable(reason) : Outcome.topicUnavailable(reason);
  }

  /**
   * Returns the outcome of a message that was sent and not answered in time.
   *
   * @param limit how long the answer was waited for
   */
  Outcome late(Duration limit) {
    return Outcome.unanswered(
        endpoint
            + " did not answer within "
            + Printable.span(limit)
            + ", and may have the message; if it needs longer, raise its timeout ("
            + Printable.span(endpoint.choices().timeout())
            + "), and the relay's lease to more than twice that");
  }

  /**
   * Returns the outcome of a message whose answer cannot be read: the endpoint is there, and would
   * answer so at each attempt.
   *
   * @param failure what is wrong with the answer
   */
  Outcome unreadable(Exception failure) {
    return Outcome.suspect(
        "the answer of " + endpoint + " cannot be read, and it may have the message: " + failure);
  }

  /** Returns the outcome of a message that may or may not have arrived. */
  Outcome unknown(String reason) {
    return isSole ? Outcome.unavailable(reason) : Outcome.topicUnavailable(reason);
  }
}
