// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import io.outledger.publish.Outcome;
import java.util.Set;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Modified;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.messaging.Released;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.apache.qpid.protonj2.types.transport.ConnectionError;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.apache.qpid.protonj2.types.transport.LinkError;
import org.jspecify.annotations.Nullable;

/** What an answer of a broker means for a message. */
final class AmqpOutcomes {

  /** The address is to blame, whatever the message. */
  private static final Set<Symbol> OF_ADDRESS =
      Set.of(
          AmqpError.NOT_FOUND,
          AmqpError.UNAUTHORIZED_ACCESS,
          AmqpError.RESOURCE_DELETED,
          AmqpError.RESOURCE_LOCKED,
          AmqpError.RESOURCE_LIMIT_EXCEEDED,
          Symbol.valueOf("com.microsoft:entity-disabled"),
          Symbol.valueOf("com.microsoft:server-busy"));

  /** The message is to blame. */
  private static final Set<Symbol> OF_MESSAGE =
      Set.of(
          LinkError.MESSAGE_SIZE_EXCEEDED,
          AmqpError.DECODE_ERROR,
          AmqpError.INVALID_FIELD,
          AmqpError.FRAME_SIZE_TOO_SMALL,
          ConnectionError.FRAMING_ERROR);

  private AmqpOutcomes() {}

  /** Says whether a state is an outcome, after which the broker does nothing more. */
  static boolean isOutcome(@Nullable DeliveryState state) {
    return state instanceof org.apache.qpid.protonj2.types.messaging.Outcome;
  }

  static Outcome outcome(String address, @Nullable DeliveryState state) {
    String from = "AMQP address '" + address + "' ";
    if (state instanceof Accepted) {
      return Outcome.PUBLISHED;
    }
    if (state instanceof Rejected rejected) {
      return rejected(from, rejected.getError());
    }
    if (state instanceof Released) {
      return Outcome.topicUnavailable(
          from + "released it, not having taken it; does a queue take what is sent there?");
    }
    if (state instanceof Modified modified) {
      String text = from + "gave it back: " + modified;
      return modified.isUndeliverableHere()
          ? Outcome.suspect(text)
          : Outcome.topicUnavailable(text);
    }
    return Outcome.suspect(from + "settled it without an outcome");
  }

  private static Outcome rejected(String from, @Nullable ErrorCondition error) {
    String text = from + "rejected it: " + text(error);
    if (isOfAddress(error)) {
      return Outcome.topicUnavailable(text);
    }
    return isOfMessage(error) ? Outcome.rejected(text) : Outcome.suspect(text);
  }

  /** Returns the outcome of what was to be sent over a link that the broker did not open. */
  static Outcome refused(String address, @Nullable ErrorCondition error) {
    return Outcome.topicUnavailable(
        "the AMQP broker lets nobody send to address '" + address + "': " + text(error));
  }

  /** Returns the outcome of the only message that was on its way when the broker gave up. */
  static Outcome endedBy(String address, @Nullable ErrorCondition error) {
    return Outcome.suspect(
        "the AMQP broker ended the link to address '" + address + "' when it came: " + text(error));
  }

  static Outcome unanswered(String address, long waitedMs) {
    return Outcome.unanswered(
        "the AMQP broker has settled no message to address '"
            + address
            + "' in "
            + waitedMs
            + " ms; where it settles those to others, see what is behind this one, and whether it"
            + " is full and gives no credit");
  }

  static Outcome tooLarge(String address, long bytes, String bytesMax) {
    return Outcome.rejected(
        "the message has "
            + bytes
            + " bytes with its properties, but AMQP address '"
            + address
            + "' takes "
            + bytesMax);
  }

  static boolean isOfAddress(@Nullable ErrorCondition error) {
    return error != null && OF_ADDRESS.contains(error.getCondition());
  }

  static boolean isOfMessage(@Nullable ErrorCondition error) {
    return error != null && OF_MESSAGE.contains(error.getCondition());
  }

  static boolean isOfSize(@Nullable ErrorCondition error) {
    return error != null && LinkError.MESSAGE_SIZE_EXCEEDED.equals(error.getCondition());
  }

  static String text(@Nullable ErrorCondition error) {
    if (error == null) {
      return "it gives no reason";
    }
    String description = error.getDescription();
    return error.getCondition() + (description == null ? "" : ": " + description);
  }
}
