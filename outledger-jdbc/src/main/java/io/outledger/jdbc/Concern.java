// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.inbox.Received;
import io.outledger.store.Declaration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Which of the received messages concern a handler. The others cost neither a transaction nor a
 * row, and are passed over together with the rest of their delivery: one that fails passes nothing
 * over, since all of it comes again.
 *
 * @param declared what a consumer with it declares
 * @param handles whether a message is to be handled; asked as often as it takes, so it counts
 *     nothing
 * @param knows whether the type and version of a message that is to be handled are registered here
 * @param passedOver is told of each message that was not, once all before it is done
 */
record Concern(
    Set<Declaration> declared,
    Predicate<Received> handles,
    Predicate<Received> knows,
    Consumer<Received> passedOver) {

  /** Every message. */
  static final Concern ALL =
      new Concern(
          Set.of(Declaration.everything("")), message -> true, message -> true, message -> {});

  /** Returns the messages of a delivery that are to be handled, in order. */
  List<Received> of(List<Received> delivery) {
    return delivery.stream().filter(handles).toList();
  }

  /**
   * Returns whether a message is one that this member can handle. Another one may be of a type that
   * only another member handles, or of a version that only that one knows.
   */
  boolean isOwn(Received message) {
    return handles.test(message) && knows.test(message);
  }

  /** Returns the others, in order. */
  List<Received> others(List<Received> delivery) {
    return delivery.stream().filter(handles.negate()).toList();
  }

  /** Tells of the others, after those that are handled have taken effect. */
  void passOver(List<Received> delivery) {
    others(delivery).forEach(passedOver);
  }
}
