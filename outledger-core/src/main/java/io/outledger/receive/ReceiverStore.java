// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.Require;
import io.outledger.inbox.InboxId;
import io.outledger.inbox.InboxRetention;
import io.outledger.inbox.Received;
import io.outledger.store.ParkedFailure;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A receiver's access to the consumer's database: processes messages once, and parks them. Each
 * call is one transaction of its own. Thread-safe: receivers and retries of several instances use
 * the same tables.
 *
 * <p>A key is one of its {@link Received#keySpace key space}; the same text in another space is
 * another key. It is <em>blocked</em> while a parked message of it blocks. A blocked key's messages
 * are processed one at a time, in the order of their numbers, by {@link #retry} alone.
 */
public interface ReceiverStore {

  /** Returns the consumer's name. */
  String consumer();

  /** Returns how long the consumer remembers what it has processed. */
  InboxRetention retention();

  /**
   * Returns which messages of a batch were processed or parked before, in one statement where the
   * database can. Others may be processed by somebody else meanwhile: {@link #process} looks again.
   *
   * @param batch one or more messages
   * @throws io.outledger.StoreException if the database failed
   */
  Set<InboxId> known(List<Received> batch);

  /**
   * Processes a batch in one transaction. A message that was processed or parked before is passed
   * over; one whose key is blocked is parked as held; the others are remembered and handled.
   *
   * @param batch one or more messages, in the order received
   * @param parkedMax the most rows that the consumer may have parked
   * @return those that were handled, and those that were held
   * @throws io.outledger.StoreException {@code OUT-033} if a message would have to be held and
   *     there is no room
   * @throws Exception what the work throws; nothing of the batch has taken effect
   */
  Processed process(List<Received> batch, int parkedMax) throws Exception;

  /**
   * What became of a batch.
   *
   * @param handled those that the work has handled, in order
   * @param held those that are parked behind others of their key, in order
   */
  record Processed(List<Received> handled, List<Received> held) {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
     */
    public Processed {
      Require.nonNull("handled", handled);
      Require.nonNull("held", held);
    }
  }

  /**
   * Parks a message that failed, unless it was processed or parked meanwhile.
   *
   * @return whether it was parked
   * @throws io.outledger.StoreException {@code OUT-033} if there is no room; others if the database
   *     failed
   */
  boolean park(Received message, ParkedFailure failure, int parkedMax);

  /**
   * Returns parked messages whose time has come and behind no other of their key, earliest first.
   */
  List<ParkedReceived> due(int limit);

  /**
   * Processes a parked message, and removes it in the same transaction. Until that ends nobody else
   * processes a message of its key.
   *
   * @param parked the message, with the count of its attempts when it was listed
   * @return false if it is not there, is not to be tried now, or somebody else is trying it or has
   *     counted an attempt of it since
   * @throws Exception what the work throws; nothing has taken effect and the message is still
   *     parked
   */
  boolean retry(ParkedReceived parked) throws Exception;

  /** Returns the message that follows in the key of one that was removed, if it is parked. */
  Optional<ParkedReceived> next(ParkedReceived removed);

  /**
   * Changes the state of a parked message, unless somebody else has counted an attempt of it. A
   * failure without a reason leaves the one that the message has.
   */
  void fail(ParkedReceived parked, ParkedFailure failure);

  /**
   * Carries out what operators have requested: removes and remembers what is to be discarded, and
   * makes due, before all later messages of its key, what is to be retried.
   *
   * @param limit how many requests of each kind
   * @return the messages that were discarded
   */
  List<ParkedReceived> carryOutRequests(int limit);
}
