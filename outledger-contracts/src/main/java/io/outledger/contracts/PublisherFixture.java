// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.publish.Publisher;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * One destination with nothing in it, seen from both ends. Opened for each test; used by one
 * thread.
 */
public interface PublisherFixture {

  /** Returns the publisher, always the same one. */
  Publisher publisher();

  /** Returns a topic that the destination has, always the same one. */
  String topic();

  /**
   * Waits until messages have arrived, and returns everything that has, duplicates among it, in the
   * order in which a consumer gets the messages of each key.
   *
   * @param ids of the messages to wait for
   * @throws AssertionError where they have not arrived within a time that is generous for the
   *     destination
   */
  List<Received> awaitArrivals(Collection<UUID> ids);

  /** Makes the destination unreachable, for open clients and for new ones. */
  void takeAway();

  /** Makes the destination reachable again; returns when new clients can reach it. */
  void bringBack();

  /**
   * Returns a message that the destination can be reached for and rejects, as one that is too large
   * for it.
   *
   * @param key its key
   */
  Message unacceptable(String key);

  /**
   * Says whether the destination takes two messages with one id for the same one, as an inbox does:
   * if one has arrived, the other is published, too.
   */
  default boolean knowsMessagesById() {
    return false;
  }

  /** Ends what is open, and removes what was made. */
  void close() throws Exception;
}
