// SPDX-License-Identifier: Apache-2.0
package io.outledger.publish;

import io.outledger.Message;
import java.util.Set;

/**
 * An open connection to a destination, used by one relay thread, and closed by that thread or, at
 * the relay's deadline, by another.
 *
 * <p>For each message handed over and not taken back, exactly one {@link Outcome} is reported, from
 * any thread, within the delivery time that the client was opened with. After it has reported
 * {@link Outcome.Unavailable} with a fate that is unknown, a client is closed by the relay and
 * never used again; except after {@link Outcome.Unavailable.Kind#UNANSWERED}, where others are
 * answered.
 */
public interface PublisherClient extends AutoCloseable {

  /**
   * Hands over a message. It may wait for room in the client's own buffer, but not for an
   * acknowledgement. It throws nothing: a failure is an outcome.
   *
   * @param position the message's position in the ledger, under which its outcome is reported
   * @param attempt 1 at first, and one more after each attempt that counted; an outage, a crash or
   *     a lost lease counts none, so several deliveries may have the same number
   * @param message the message as it is to be published
   */
  void publish(long position, int attempt, Message message);

  /** Asks for everything handed over to be sent now, without waiting for it. */
  void flush();

  /**
   * Takes back messages that were handed over and whose delivery has not begun: the relay is about
   * to give its lease back, and would wait for them. A client that sends each at once has none to
   * give back; one around another takes back what that does.
   *
   * @return their positions; no outcome is reported for them, and nothing of them is ever sent
   *     unless they are handed over once more
   */
  Set<Long> recall();

  /**
   * Ends at once: nothing is sent after this returns. Messages without an outcome are reported as
   * {@link Outcome.Unavailable}, since their fate is unknown, before this returns. Idempotent and
   * thread-safe; it throws nothing.
   */
  @Override
  void close();
}
