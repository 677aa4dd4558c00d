// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.history;

import io.outledger.frontier.Positions;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One line of a history. Whoever observes something writes it; the checker alone draws conclusions.
 * The order matters only where an entry says so.
 */
public sealed interface Entry {

  /**
   * A writer's word on a message. It is written with {@link CommitOutcome#UNKNOWN} before the
   * commit is asked for, and once more when the answer is there; of one id the last word counts.
   *
   * @param key the message's key, null for none
   * @param counter a number of this key, taken while the key's row is locked, so that committed
   *     ones ascend in the order in which the application serialised the key
   * @param id the message
   * @param outcome what became of its transaction
   */
  record Wrote(@Nullable String key, long counter, UUID id, CommitOutcome outcome)
      implements Entry {}

  /**
   * A message that is visible in the ledger at the end, or that retention has removed from it.
   *
   * @param id the message
   * @param position its position
   */
  record Stored(UUID id, long position) implements Entry {}

  /**
   * A message that is parked at the end.
   *
   * @param id the message
   * @param isDead whether it is a dead letter, which waits for a person; anything else should have
   *     been tried until it was settled
   * @param blocks whether later messages of its key are held behind it
   */
  record Parked(UUID id, boolean isDead, boolean blocks) implements Entry {}

  /**
   * The subscription's cursor at the end.
   *
   * @param high the highest position that it has seen
   * @param open the open positions, overflow included
   */
  record Cursor(long high, Positions open) implements Entry {}

  /**
   * A row that an owner changed, committed; in order of {@code n}, in any order of lines.
   *
   * @param row what was changed, such as {@code cursor}; each is judged for itself
   * @param n the number of the save that changed it
   * @param owner the owner's incarnation
   */
  record Changed(String row, long n, String owner) implements Entry {}

  /**
   * A raw arrival at an observer of the destination, in the order of lines. An observer that starts
   * again may write the same offset again: that is the same arrival.
   *
   * @param partition the destination's partition, such as {@code orders-3}
   * @param offset its place there, ascending
   * @param id the message
   */
  record Arrived(String partition, long offset, UUID id) implements Entry {}

  /**
   * The destination acknowledged a message to the relay.
   *
   * @param id the message
   */
  record Acknowledged(UUID id) implements Entry {}

  /**
   * The one exception to the order: a message that was rejected when a later one of its key had
   * been handed over already.
   *
   * @param id the rejected message
   * @param follower the one that may come before it
   */
  record Overtaken(UUID id, UUID follower) implements Entry {}

  /**
   * A dead letter may come late although its key had gone on without it: an operator let it be
   * tried again, or what a former owner had sent of it was still on its way.
   *
   * @param id the message
   */
  record Released(UUID id) implements Entry {}

  /**
   * The database has lost a commit that it had acknowledged: a fail-over lost the tail of its log.
   *
   * @param id a message of that commit; it may have arrived or not
   */
  record Forgotten(UUID id) implements Entry {}

  /**
   * An operator wanted a dead letter removed unpublished.
   *
   * @param id the message
   */
  record Discarded(UUID id) implements Entry {}

  /**
   * An operator is about to ask for something; once more with the same id where nothing answered.
   *
   * @param id of the request
   */
  record Asked(UUID id) implements Entry {}

  /**
   * What an operator asked for may be gone, or be there: the database was restored to an earlier
   * moment since it was answered.
   *
   * @param id of the request
   */
  record Unasked(UUID id) implements Entry {}

  /**
   * A row of the audit at the end; one line for each.
   *
   * @param id of the request
   * @param isOver whether it has come to an end
   */
  record Audited(UUID id, boolean isOver) implements Entry {}

  /**
   * A relay crashed, or lost its lease or its connection, so that it may send again.
   *
   * @param role who
   * @param inFlight at most how many messages it had sent since its cursor was last saved; 0 for a
   *     graceful stop
   */
  record Crashed(String role, long inFlight) implements Entry {}

  /**
   * One message may arrive once more: it was sent, and the sender knows no longer what became of
   * it. Where a history has such lines, each message is judged by its own, and not only all
   * together.
   *
   * @param id the message
   */
  record MayRepeat(UUID id) implements Entry {}

  /**
   * A consumer that is to have exactly one effect of every message that arrived.
   *
   * @param name its name
   */
  record Consumes(String name) implements Entry {}

  /**
   * An effect that is committed at the end; one line for each.
   *
   * @param consumer whose
   * @param id the message behind it
   */
  record Effect(String consumer, UUID id) implements Entry {}

  /**
   * A figure that a relay reported, beside the same counted in the tables.
   *
   * @param name its name
   * @param reported what was reported
   * @param counted what is true
   */
  record Figure(String name, long reported, long counted) implements Entry {}

  /**
   * What is left of a resource when all is over.
   *
   * @param resource such as {@code connections}
   * @param count how many are left
   * @param allowed how many may be
   */
  record Left(String resource, long count, long allowed) implements Entry {}
}
