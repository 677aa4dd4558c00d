// SPDX-License-Identifier: Apache-2.0
package io.outledger.inbox;

import io.outledger.Printable;
import io.outledger.Require;

/**
 * The identity by which a consumer remembers a message. Ids of different sources may be equal by
 * chance, so the source is part of it. Ordered by source, then id, by UTF-16 code unit.
 *
 * @param source the sender of the message, preceded by its origin if the receiver knows that
 * @param id the message's id as its source gave it
 */
public record InboxId(String source, String id) implements Comparable<InboxId> {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public InboxId {
    Require.nonNull("source", source);
    Require.nonNull("id", id);
  }

  @Override
  public int compareTo(InboxId other) {
    int bySource = source.compareTo(other.source);
    return bySource == 0 ? id.compareTo(other.id) : bySource;
  }

  /** Names the message, printably. */
  @Override
  public String toString() {
    return "InboxId[" + Printable.value(id) + " from " + Printable.value(source) + "]";
  }
}
