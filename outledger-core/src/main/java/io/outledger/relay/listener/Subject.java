// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.listener;

import io.outledger.Printable;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The message that an event is about, named so that log lines of it can be found together.
 *
 * @param id the message's id
 * @param key its key, as it is; null where it has none
 * @param position its position in the ledger
 * @param route the route or handler it is on its way through; empty for a subscription with one
 *     publisher
 */
public record Subject(UUID id, @Nullable String key, long position, String route) {

  /** Names the message, printably and in one line. */
  @Override
  public String toString() {
    String ofKey = key == null ? " without a key" : " with key " + Printable.value(key);
    String inRoute = route.isEmpty() ? "" : " in route " + Printable.value(route);
    return "message " + id + ofKey + " at position " + position + inRoute;
  }
}
