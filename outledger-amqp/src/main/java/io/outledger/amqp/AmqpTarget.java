// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import io.outledger.publish.Outcome;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.qpid.protonj2.engine.OutgoingDelivery;
import org.apache.qpid.protonj2.engine.Sender;
import org.apache.qpid.protonj2.engine.Session;
import org.apache.qpid.protonj2.engine.impl.ProtonDeliveryTagGenerator;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Modified;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.messaging.Released;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.apache.qpid.protonj2.types.transport.ReceiverSettleMode;
import org.apache.qpid.protonj2.types.transport.SenderSettleMode;
import org.jspecify.annotations.Nullable;

/**
 * An address and the link to it. Messages wait here until the broker gives credit for them, and are
 * then on their way until it settles them. Used by the connection's thread alone.
 */
final class AmqpTarget {

  static final Symbol[] OUTCOMES = {
    Accepted.DESCRIPTOR_SYMBOL,
    Rejected.DESCRIPTOR_SYMBOL,
    Released.DESCRIPTOR_SYMBOL,
    Modified.DESCRIPTOR_SYMBOL
  };

  private static final AtomicLong NUMBERS = new AtomicLong();

  private final String address;
  private final AmqpClient client;
  private final Sender link;
  private final Deque<AmqpClient.Handed> waiting = new ArrayDeque<>();
  private boolean hasAccepted;

  private AmqpTarget(String address, AmqpClient client, Sender link) {
    this.address = address;
    this.client = client;
    this.link = link;
  }

  /** Begins to open a link. */
  static AmqpTarget open(
      String address, @Nullable String capability, Session session, AmqpClient client) {
    Target target = new Target().setAddress(address);
    if (capability != null) {
      target.setCapabilities(Symbol.valueOf(capability));
    }
    Sender link =
        session
            .sender("outledger " + NUMBERS.incrementAndGet() + " to " + address)
            .setSenderSettleMode(SenderSettleMode.UNSETTLED)
            .setReceiverSettleMode(ReceiverSettleMode.FIRST)
            .setSource(new Source().setAddress(address).setOutcomes(OUTCOMES))
            .setTarget(target);
    link.setDeliveryTagGenerator(ProtonDeliveryTagGenerator.BUILTIN.SEQUENTIAL.createGenerator());
    AmqpTarget opened = new AmqpTarget(address, client, link);
    link.openHandler(open -> opened.sendWaiting())
        .creditStateUpdateHandler(more -> opened.sendWaiting())
        .deliveryStateUpdatedHandler(opened::settled)
        .detachHandler(opened::ended)
        .closeHandler(opened::ended)
        .open();
    return opened;
  }

  /** Sends a message as soon as the broker allows it. */
  void send(AmqpClient.Handed message) {
    waiting.add(message);
  }

  boolean isIdle() {
    return waiting.isEmpty() && !link.hasUnsettled();
  }

  /** The broker shows by a target that it has opened the link, and is not about to refuse it. */
  private boolean isOpen() {
    return link.isRemotelyOpen() && link.getRemoteTarget() != null;
  }

  /** Sends as many of those that wait as there is credit for. */
  void sendWaiting() {
    while (isOpen() && link.isSendable() && !waiting.isEmpty()) {
      AmqpClient.Handed next = waiting.getFirst();
      OutgoingDelivery begun = link.current();
      if (begun == null && rejectIfTooLarge(next)) {
        waiting.removeFirst();
        continue;
      }
      OutgoingDelivery delivery = begun == null ? link.next().setLinkedResource(next) : begun;
      delivery.streamBytes(next.encoded(), true);
      if (next.encoded().isReadable()) {
        return; // the session's window is full: the rest of it follows
      }
      waiting.removeFirst();
    }
  }

  /** Rejects a message that is larger than the broker takes, and returns whether it is. */
  private boolean rejectIfTooLarge(AmqpClient.Handed message) {
    UnsignedLong most = link.getRemoteMaxMessageSize();
    long bytes = message.encoded().getReadableBytes();
    boolean isLimited = most != null && most.compareTo(UnsignedLong.ZERO) != 0;
    if (isLimited && most.compareTo(UnsignedLong.valueOf(bytes)) < 0) {
      client.answer(
          message.position(), AmqpOutcomes.tooLarge(address, bytes, String.valueOf(most)));
      return true;
    }
    return false;
  }

  private void settled(OutgoingDelivery delivery) {
    if (!delivery.isRemotelySettled() && !AmqpOutcomes.isOutcome(delivery.getRemoteState())) {
      return;
    }
    AmqpClient.Handed message = delivery.getLinkedResource();
    Outcome outcome = AmqpOutcomes.outcome(address, delivery.getRemoteState());
    delivery.settle();
    hasAccepted |= outcome.equals(Outcome.PUBLISHED);
    client.answer(message.position(), outcome);
    if (outcome instanceof Outcome.Rejected rejected
        && rejected.kind() == Outcome.Rejected.Kind.TOPIC) {
      refuseWaiting(outcome); // they must not get through where it did not
    }
  }

  private void refuseWaiting(Outcome outcome) {
    OutgoingDelivery begun = link.current();
    if (begun != null) {
      begun.abort();
    }
    List<AmqpClient.Handed> all = List.copyOf(waiting);
    waiting.clear();
    all.forEach(message -> client.answer(message.position(), outcome));
  }

  /** The broker has ended the link, or refused it. */
  private void ended(Sender ended) {
    ErrorCondition error = link.getRemoteCondition();
    List<AmqpClient.Handed> unsettled =
        link.unsettled().stream()
            .map(delivery -> delivery.<AmqpClient.Handed>getLinkedResource())
            .toList();
    client.forget(address, this);
    if (link.isLocallyOpen()) {
      link.close();
    }
    boolean isRefusal = !hasAccepted && unsettled.isEmpty();
    if (isRefusal || AmqpOutcomes.isOfAddress(error)) {
      refuseAll(unsettled, AmqpOutcomes.refused(address, error));
    } else {
      lost(unsettled, error);
    }
  }

  private void refuseAll(List<AmqpClient.Handed> unsettled, Outcome outcome) {
    unsettled.forEach(message -> client.answer(message.position(), outcome));
    List.copyOf(waiting).forEach(message -> client.answer(message.position(), outcome));
  }

  /**
   * The link was ended by no fault of its address. If a message is to blame, it must be found, or
   * the same would happen to it again and again: it is the largest where that is the reason, and it
   * is the only one, as it is when the relay probes.
   */
  private void lost(List<AmqpClient.Handed> unsettled, @Nullable ErrorCondition error) {
    if (AmqpOutcomes.isOfSize(error) && !unsettled.isEmpty()) {
      AmqpClient.Handed largest =
          Collections.max(unsettled, Comparator.comparingInt(AmqpClient.Handed::bytes));
      client.answer(largest.position(), AmqpOutcomes.tooLarge(address, largest.bytes(), "less"));
    } else if (unsettled.size() == 1 && AmqpOutcomes.isOfMessage(error)) {
      client.answer(unsettled.get(0).position(), AmqpOutcomes.endedBy(address, error));
    } else if (unsettled.size() == 1 && !hasAccepted) {
      refuseAll(unsettled, AmqpOutcomes.refused(address, error));
    } else if (!unsettled.isEmpty()) {
      client.linkLost(address, error);
      return;
    }
    if (unsettled.size() > 1) {
      client.linkLost(address, error);
    } else {
      List.copyOf(waiting).forEach(client::sendAgain);
    }
  }

  /** Closes a link, whose messages have their outcomes. */
  void close() {
    link.detachHandler(ended -> {}).closeHandler(ended -> {}).close();
  }
}
