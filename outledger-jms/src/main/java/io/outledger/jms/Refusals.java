// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a broker has refused and the relay may not know of yet, and what must not be sent because of
 * it: a later message of the topic or the key that got through would overtake the one that was
 * refused.
 */
final class Refusals {

  private final Map<String, Outcome> ofTopics = new HashMap<>();
  private final Map<Lane, Outcome> ofKeys = new HashMap<>();

  /** The messages of one key in one queue or topic. */
  private record Lane(String topic, String key) {}

  /** Notes the outcome of a message that was sent alone. */
  void note(Message message, Outcome outcome) {
    String key = message.key();
    if (!(outcome instanceof Outcome.Rejected rejected)) {
      return;
    }
    if (rejected.kind() == Outcome.Rejected.Kind.TOPIC) {
      ofTopics.put(message.topic(), outcome);
    } else if (key != null) {
      ofKeys.put(new Lane(message.topic(), key), outcome);
    }
  }

  /** The relay knows of all: it hands over nothing that must not be sent. */
  void forget() {
    ofTopics.clear();
    ofKeys.clear();
  }

  boolean isEmpty() {
    return ofTopics.isEmpty() && ofKeys.isEmpty();
  }

  /** Returns the outcome of a message that must not be sent; null where it may be. */
  @Nullable Outcome before(Message message) {
    String key = message.key();
    Outcome ofTopic = ofTopics.get(message.topic());
    return ofTopic != null || key == null ? ofTopic : ofKeys.get(new Lane(message.topic(), key));
  }
}
