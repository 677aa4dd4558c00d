// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.Printable;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The message that an event is about, named so that log lines of it can be found together.
 *
 * @param id the message's id
 * @param key its key, as it is; null where it has none
 * @param position its position in the ledger
 * @param lane the lane or handler it is on its way through; empty for a subscription with one
 *     publisher
 */
public record Subject(UUID id, @Nullable String key, long position, String lane) {

  /** Names the message, printably and in one line. */
  @Override
  public String toString() {
    String ofKey = key == null ? " without a key" : " of key " + Printable.value(key);
    String inLane = lane.isEmpty() ? "" : " in lane " + Printable.value(lane);
    return "message " + id + ofKey + " at position " + position + inLane;
  }
}
