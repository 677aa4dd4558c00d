// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import io.outledger.publish.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What takes messages in batches of ten at most: SQS or SNS. Called by one thread. */
interface BatchService {

  /** Returns the most bytes of a message, and of all messages of a batch together. */
  int bytesMax();

  /**
   * Checks a name that a message is to be published to.
   *
   * @throws io.outledger.InvalidMessageException {@code OUT-014} if it can be none
   */
  void checkName(String name);

  /** Finds the place of a name; what it fails with is one of AWS's exceptions. */
  CompletableFuture<Place> find(String name);

  /**
   * Sends a batch.
   *
   * @return an outcome for each message, in their order; what it fails with is one of AWS's
   *     exceptions, and concerns the batch as a whole
   */
  CompletableFuture<List<Outcome>> send(Place place, List<Outgoing> batch);

  /**
   * What AWS says of a message of a batch that it did not take.
   *
   * @param number of the message in the batch
   * @param code its code; null for none
   * @param text what it says; null for nothing
   * @param isSendersFault false where AWS blames itself
   */
  record Refusal(
      String number, @Nullable String code, @Nullable String text, boolean isSendersFault) {}

  /**
   * Returns the outcomes of a batch's messages, in their order.
   *
   * @param count how many there are
   * @param sent the numbers of those that AWS has taken
   * @param refused those that it has not
   */
  static List<Outcome> outcomes(
      Place place, int count, Stream<String> sent, Stream<Refusal> refused) {
    Outcome[] outcomes = new Outcome[count];
    Arrays.fill(outcomes, Outcome.suspect("AWS did not say what became of it"));
    sent.forEach(number -> outcomes[Integer.parseInt(number)] = Outcome.PUBLISHED);
    refused.forEach(
        one ->
            outcomes[Integer.parseInt(one.number())] =
                AwsOutcomes.ofEntry(place.name(), one.code(), one.text(), one.isSendersFault()));
    return List.of(outcomes);
  }

  /**
   * Where messages go.
   *
   * @param name as users know it
   * @param address as AWS knows it: a queue's URL, or a topic's ARN
   * @param bytesMax the most bytes of a message
   */
  record Place(String name, String address, int bytesMax) {

    private static final String FIFO = ".fifo";

    /** AWS has this ending for those that keep an order, and for no others. */
    boolean isFifo() {
      return address.endsWith(FIFO);
    }
  }

  /**
   * A message on its way.
   *
   * @param id its id
   * @param topic its own topic, whatever the place
   * @param key its key; null for none
   * @param content what AWS carries
   * @param outcome completed with what became of it
   */
  record Outgoing(
      String id,
      String topic,
      @Nullable String key,
      SqsBinding.Written content,
      CompletableFuture<Outcome> outcome) {

    /** Returns what keeps an order at AWS: the key; a message without one stands alone. */
    String group() {
      return key == null ? id : FifoNames.of(key);
    }

    /**
     * Returns what AWS recognises duplicates by. Several messages may have one id, and their topics
     * may lead to one place, where AWS would drop the second and say that it took it.
     */
    String deduplicationId() {
      return FifoNames.of(id + ':' + topic);
    }
  }
}
