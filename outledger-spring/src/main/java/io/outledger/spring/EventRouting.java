// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import io.outledger.Message;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/**
 * Decides where some events go, in place of what their types were registered with. A {@link
 * SpringOutbox} asks it for everything that is appended, whichever way it came.
 *
 * <p>Thread-safe: several threads append at the same time.
 */
@FunctionalInterface
public interface EventRouting {

  /** Leaves every event to its registration. */
  EventRouting AS_REGISTERED = (eventsOrMessages, registered) -> registered.apply(eventsOrMessages);

  /**
   * Returns the messages of what is appended, in its order.
   *
   * @param eventsOrMessages what is appended
   * @param registered makes the messages of events as they are registered, and checks messages;
   *     pass changed messages to it again
   * @throws io.outledger.OutledgerException where something cannot be appended; nothing is
   */
  List<Message> route(
      Collection<?> eventsOrMessages, Function<Collection<?>, List<Message>> registered);
}
