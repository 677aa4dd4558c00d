// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.publish.Outcome;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * When messages of each topic got through last. So a message without an answer tells whether the
 * message, its topic or the whole destination is silent: it is the message, where others of its
 * topic got through in the second half of the time for which it waited, and its topic, where only
 * others of other topics did. What came in the first half may have come before all fell silent.
 */
final class Answers {

  /** One that is forgotten counts as one that was silent. */
  private static final int TOPICS_MAX = 1_000;

  private final Map<String, Long> publishedAt = new LinkedHashMap<>(16, 0.75f, true);

  /** Takes that a message of a topic got through. */
  void published(String topic, long nanos) {
    publishedAt.put(topic, nanos);
    if (publishedAt.size() > TOPICS_MAX) {
      publishedAt.remove(publishedAt.keySet().iterator().next());
    }
  }

  /**
   * Returns what it means that a message was not answered.
   *
   * @param unanswered what its publisher reported; returned as it is where all are silent
   */
  Outcome judge(Delivery delivery, Outcome.Unavailable unanswered, long sentAt, long nanos) {
    long from = sentAt + (nanos - sentAt) / 2;
    String topic = delivery.message().topic();
    Long ofTopic = publishedAt.get(topic);
    if (ofTopic != null && ofTopic - from >= 0) {
      return Outcome.suspect(unanswered.reason());
    }
    boolean isHeard = publishedAt.values().stream().anyMatch(at -> at - from >= 0);
    return isHeard ? Outcome.topicUnavailable(unanswered.reason()) : unanswered;
  }
}
