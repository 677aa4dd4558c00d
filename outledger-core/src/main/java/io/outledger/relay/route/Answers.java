// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.publish.Outcome;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which messages of each topic got through last. So a message without an answer tells whether the
 * message, its topic or the whole destination is silent: it is the message, where one of its topic
 * got through that was sent after it, in the second half of the time for which it waited; and its
 * topic, where only such ones of other topics did. What was sent before it may have stood before it
 * in the queue of a slow destination, and what came in the first half may have come before all fell
 * silent.
 */
final class Answers {

  /** One that is forgotten counts as one that was silent. */
  private static final int TOPICS_MAX = 1_000;

  private final Map<String, Answer> last = new LinkedHashMap<>(16, 0.75f, true);

  /** The message of a topic that was sent last of those that got through. */
  private record Answer(long sentAt, long nanos) {

    private boolean isProof(long otherSentAt, long from) {
      return sentAt - otherSentAt > 0 && nanos - from >= 0;
    }
  }

  /** Takes that a message of a topic got through. */
  void published(String topic, long sentAt, long nanos) {
    Answer before = last.get(topic);
    if (before == null || sentAt - before.sentAt() >= 0) {
      last.put(topic, new Answer(sentAt, nanos));
    }
    if (last.size() > TOPICS_MAX) {
      last.remove(last.keySet().iterator().next());
    }
  }

  /**
   * Returns what it means that a message was not answered.
   *
   * @param unanswered what its publisher reported; returned as it is where all are silent
   */
  Outcome judge(Delivery delivery, Outcome.Unavailable unanswered, long sentAt, long nanos) {
    long from = sentAt + (nanos - sentAt) / 2;
    Answer ofTopic = last.get(delivery.message().topic());
    if (ofTopic != null && ofTopic.isProof(sentAt, from)) {
      return Outcome.suspect(unanswered.reason());
    }
    boolean isHeard = last.values().stream().anyMatch(answer -> answer.isProof(sentAt, from));
    return isHeard ? Outcome.topicUnavailable(unanswered.reason()) : unanswered;
  }
}
