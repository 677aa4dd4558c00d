// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.store.Paused;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What keeps a message back, or what became of it, in one subscription or route.
 *
 * @param kind what it is
 * @param subscription the subscription's name, or that of the consumer which has parked it; empty
 *     if it is not about one
 * @param sentence the same for people
 * @param parked the parked rows that say so: the message's own, and that of the message which it is
 *     held behind. Each has its position, id, key and the time of its next attempt
 * @param cause for what the relay keeps the message back, and since when; null if it does not
 * @param pause what an operator has paused, who, why and since when; null if nobody has
 * @param readUpTo up to which position the relay has read; null if that does not matter
 * @param relay what the subscription's owner is doing, with the causes that keep messages back;
 *     null if that does not matter
 * @param at the time that the sentence names, such as that of the next attempt; null if there is
 *     none
 */
public record Reason(
    Kind kind,
    String subscription,
    String sentence,
    List<Parked> parked,
    @Nullable Cause cause,
    @Nullable Paused pause,
    @Nullable Long readUpTo,
    @Nullable InstanceState relay,
    @Nullable Instant at) {

  /** What keeps a message back, or what became of it. */
  public enum Kind {
    /** No such message is visible: its transaction has not committed, or there is none. */
    NOT_FOUND,
    /** It waits for the time at which it is scheduled. */
    SCHEDULED,
    /** Its position was drawn, and no transaction that could fill it is known to be open. */
    ROLLED_BACK,
    /** Its transaction may still commit. */
    NOT_COMMITTED,
    /** Retention has removed it. */
    REMOVED,
    /** No subscription reads the ledger. */
    UNREAD,
    /** An operator has paused it. */
    PAUSED,
    /** No relay runs the subscription. */
    NOBODY_RUNS,
    /** The relay that runs the subscription keeps messages back, and says why. */
    KEPT_BACK,
    /** It was not read yet: others are before it. */
    BEHIND,
    /** It was read, and its outcome is awaited or not saved yet. */
    IN_FLIGHT,
    /** It failed, and is tried again. */
    RETRYING,
    /** It waits for another message of its key. */
    HELD,
    /** It is a dead letter. */
    DEAD,
    /** It was erased or revised, and its owner is about to discard it. */
    WITHDRAWN,
    /** It was published. */
    PUBLISHED,
    /** It was discarded. */
    DISCARDED,
    /** Nothing of the key waits. */
    NOTHING_WAITS
  }
}
