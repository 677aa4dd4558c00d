// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;

/**
 * A database's texts for the messages that consumers have parked, where the story is the same
 * everywhere. Each names its parameters in order, and what its rows are: a <em>light</em> row has
 * number, source, message id, key, key space, topic, type and attempts; a <em>message</em> has
 * source, message id, origin, topic, key, type, version, payload, headers, time and key space.
 *
 * @param count consumer, limit: one number
 * @param park consumer, source, message id, state, blocks, attempts, milliseconds until the next
 *     attempt, error, origin, topic, key space, key, type, version, payload, headers, time,
 *     consumer number and hash of its {@link InboxKey}: inserts it unless it was processed or
 *     parked before
 * @param due consumer, limit: light rows that are not dead and whose time has come, and before
 *     which no other of their key blocks, earliest first
 * @param next key, consumer, key space, number: the light row of the next one that blocks
 * @param lock consumer, number, attempts so far: the message, locked, unless it is dead, early or
 *     locked by others
 * @param isFirst consumer, number: how many there are which are not dead and that no other blocks
 * @param remove consumer, number: deletes it
 * @param fail state, blocks, attempts, error or null to keep it, milliseconds until the next
 *     attempt, consumer, number, attempts so far: changes it unless it is dead
 * @param requested consumer, request, limit: light rows that are not held, locked, those locked by
 *     others left out
 * @param consumers none: the names of all consumers that have processed or parked a message
 */
public record ReceivedSql(
    String count,
    String park,
    String due,
    String next,
    String lock,
    String isFirst,
    String remove,
    String fail,
    String requested,
    String consumers) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public ReceivedSql {
    Require.nonNull("count", count);
    Require.nonNull("park", park);
    Require.nonNull("due", due);
    Require.nonNull("next", next);
    Require.nonNull("lock", lock);
    Require.nonNull("isFirst", isFirst);
    Require.nonNull("remove", remove);
    Require.nonNull("fail", fail);
    Require.nonNull("requested", requested);
    Require.nonNull("consumers", consumers);
  }

  /**
   * Returns the same with another text that locks.
   *
   * @param lock see {@link #lock}
   */
  public ReceivedSql withLock(String lock) {
    return new ReceivedSql(
        count, park, due, next, lock, isFirst, remove, fail, requested, consumers);
  }

  /**
   * Returns the same with the names of a schema's tables in it.
   *
   * @param naming the words of its schema
   */
  public ReceivedSql with(SqlNaming naming) {
    Require.nonNull("naming", naming);
    return new ReceivedSql(
        naming.in(count),
        naming.in(park),
        naming.in(due),
        naming.in(next),
        naming.in(lock),
        naming.in(isFirst),
        naming.in(remove),
        naming.in(fail),
        naming.in(requested),
        naming.in(consumers));
  }
}
