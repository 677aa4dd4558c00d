// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.parking.Suspects;
import io.outledger.parking.Tried;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcome.Rejected;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The suspects of a consumer: messages that met an outage, just received or parked. Of all its
 * streams and retries, since what gets through in one of them says that what it needs is there.
 * Thread-safe.
 */
final class ReceiverSuspects {

  /** As many as a stream that waits may hold; of more, those that failed last are known. */
  private static final int MESSAGES_MAX = 1_000;

  private final Suspects<Tries> suspects = Suspects.ofHandlers();

  /** A message without its payload. */
  private record Tries(ParkedReceived message) implements Tried {

    @Override
    public InboxId place() {
      return message.id();
    }

    @Override
    public @Nullable Object key() {
      String key = message.key();
      return key == null ? null : List.of(message.keySpace(), key);
    }

    @Override
    public String topic() {
      return message.topic();
    }

    @Override
    public String type() {
      return message.type();
    }
  }

  /** Returns whether a message is suspected. */
  synchronized boolean contains(ParkedReceived message) {
    return suspects.size() > 0 && suspects.contains(new Tries(message));
  }

  /**
   * Takes that a message has met an outage while it was processed alone.
   *
   * @return how it is rejected, where it or its kind is to blame; null where that is not known
   */
  synchronized @Nullable Rejected failed(ParkedReceived message, String reason) {
    Rejected rejected = suspects.failed(new Tries(message), Outcome.unavailable(reason));
    if (suspects.size() > MESSAGES_MAX) {
      suspects.forgetOldest();
    }
    return rejected;
  }

  /** Takes that a message has taken effect. */
  synchronized void succeeded(ParkedReceived message) {
    if (suspects.size() > 0) {
      suspects.published(new Tries(message));
    }
  }

  /** Forgets a message that has failed in another way, or is held. */
  synchronized void forget(ParkedReceived message) {
    if (suspects.size() > 0) {
      suspects.forget(new Tries(message));
    }
  }

  /**
   * Returns the message to try next.
   *
   * @param waiting the first messages of their keys, in order; one or more
   */
  synchronized Received next(List<Received> waiting) {
    Map<InboxId, Received> byId =
        waiting.stream()
            .collect(Collectors.toMap(Received::inboxId, Function.identity(), (one, same) -> one));
    Tries next = Objects.requireNonNull(suspects.next(tries(waiting)), "one waits");
    return Objects.requireNonNull(byId.get(next.place()), "it is one of those that wait");
  }

  /** Returns whether a message that is not suspected is the first of its key among these. */
  synchronized boolean hasOthers(List<Received> waiting) {
    return suspects.hasOthers(tries(waiting));
  }

  private static List<Tries> tries(List<Received> waiting) {
    return waiting.stream().map(each -> new Tries(ParkedReceived.of(each))).toList();
  }
}
