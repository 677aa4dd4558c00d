// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Counts how often an endpoint cut the connection at a message instead of answering.
 *
 * <p>A connection that is cut is an outage as a rule, and no message's fault. But an endpoint may
 * cut it at one message each time, as where its worker crashes, and all others would wait for that
 * message forever. So the message is to blame once that has happened {@value #BLAMED_FROM} times
 * without an answer. Attempts to connect that failed meanwhile do not matter: the message may have
 * ended the whole server.
 *
 * <p>Outlives the clients of a publisher, as a relay opens another one after each outage.
 * Thread-safe.
 */
final class CutMessages {

  /** An outage may well cut off a message once, and once more while a server is started again. */
  static final int BLAMED_FROM = 3;

  /** More than are on their way at a time; one that is forgotten is counted again. */
  static final int KNOWN_MAX = 1_000;

  private final Map<Posted, Integer> counts = new LinkedHashMap<>(); // guarded by this

  /** A message for an endpoint. Relays of several ledgers may share a publisher. */
  record Posted(WebhookEndpoint endpoint, long position, UUID id) {}

  /** Counts one more cut, and returns whether the message is to blame by now. */
  synchronized boolean countAndBlame(Posted message) {
    int count = counts.merge(message, 1, Integer::sum);
    if (counts.size() > KNOWN_MAX) {
      counts.remove(counts.keySet().iterator().next());
    }
    return count >= BLAMED_FROM;
  }

  /** Forgets a message that was answered. */
  synchronized void forget(Posted message) {
    counts.remove(message);
  }
}
