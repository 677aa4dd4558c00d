// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.Printable;
import io.outledger.publish.Outcome;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * From messages to topics of Kafka, by the user's function.
 *
 * @param function from a message to the name of Kafka's topic
 * @param isByTopic whether messages of one topic all go to the same topic of Kafka
 */
record TopicRouting(Function<Message, String> function, boolean isByTopic) {

  static TopicRouting byTopic(UnaryOperator<String> naming) {
    return new TopicRouting(message -> naming.apply(message.topic()), true);
  }

  /**
   * Returns the name of the topic that a message goes to, which may be none that Kafka allows.
   *
   * @throws InvalidMessageException {@code OUT-014} if the function throws anything or returns null
   */
  String topicOf(Message message) {
    @Nullable String name;
    try {
      name = function.apply(message);
    } catch (Throwable e) { // of user code: an Error, too, is this message's alone
      throw invalid("threw an exception: " + text(e), e);
    }
    if (name == null) {
      throw invalid(
          "returned null for topic " + message.topic() + ", type " + message.type(), null);
    }
    return name;
  }

  /**
   * Returns an outcome as the relay is to hear it. That a topic of Kafka is to blame says nothing
   * of the message's own topic where that goes to several: the others are not to be kept back.
   */
  Outcome told(Outcome outcome) {
    return !isByTopic
            && outcome instanceof Outcome.Rejected rejected
            && rejected.kind() == Outcome.Rejected.Kind.TOPIC
        ? Outcome.suspect(rejected.reason())
        : outcome;
  }

  private static InvalidMessageException invalid(String what, @Nullable Throwable cause) {
    return new InvalidMessageException(
        ErrorCode.INVALID_MESSAGE, "the function that chooses the Kafka topic " + what, cause);
  }

  private static String text(Throwable failure) {
    try {
      return Printable.text(failure);
    } catch (Throwable e) { // user code's failure may refuse to say
      return failure.getClass().getName();
    }
  }
}
