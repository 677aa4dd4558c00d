// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.publish.KeyOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides which messages of one key may be on their way together. For one thread. */
interface KeyGate {

  /** Lets all pass: the publisher keeps the order of what it was handed. */
  KeyGate OPEN = new OpenGate();

  /** Returns a gate for a publisher's order. */
  static KeyGate of(KeyOrder order) {
    return switch (order) {
      case ONE_AT_A_TIME -> new OneAtATimeGate();
      case PIPELINED -> OPEN;
    };
  }

  /** Lets the message pass and returns true, or queues it behind its predecessor. */
  boolean enter(Delivery delivery);

  /** Notes that a message has left, and returns the next of its key, which has not entered yet. */
  @Nullable Delivery leave(Delivery delivery);

  /** Returns whether it lets every message pass, so that nothing is ever queued. */
  boolean isOpen();

  /**
   * Notes that a message has left while no other may pass, and returns all that were queued behind
   * it. They enter again in this order: were the first alone to do so, it would queue behind those
   * it stands before, and no one would be left to let them pass.
   */
  List<Delivery> dissolve(Delivery delivery);

  /** Empties the gate and returns what was queued. */
  List<Delivery> clear();

  /** Nothing ever waits at it. */
  final class OpenGate implements KeyGate {

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public boolean enter(Delivery delivery) {
      return true;
    }

    @Override
    public @Nullable Delivery leave(Delivery delivery) {
      return null;
    }

    @Override
    public List<Delivery> dissolve(Delivery delivery) {
      return List.of();
    }

    @Override
    public List<Delivery> clear() {
      return List.of();
    }
  }
}
