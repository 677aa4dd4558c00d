// SPDX-License-Identifier: Apache-2.0
package io.outledger.inbox;

import io.outledger.Name;
import io.outledger.Require;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes a message take effect once: its id is inserted in the same transaction as its effects, so
 * both are there or neither is. What the work appends to an outbox on that transaction belongs to
 * it as well.
 *
 * <p>Whatever is thrown, by the work or by the inbox, the caller must roll the transaction back:
 * committing it would remember a message whose work was not done. After a crash, or a commit whose
 * outcome is unknown, receive the message again.
 *
 * <p>Thread-safe; a transaction is used by one thread at a time.
 *
 * @param <T> the handle of a transaction, such as a JDBC connection
 */
public final class Inbox<T> {

  private final String consumer;
  private final InboxStore<T> store;

  /**
   * Creates the inbox of a consumer.
   *
   * @param consumer its name, which must never change and which no other service of the same
   *     database may use
   * @param store where ids are remembered
   * @throws io.outledger.ConfigurationException {@code OUT-006} if the name is not valid; see
   *     {@link Name}
   */
  public Inbox(String consumer, InboxStore<T> store) {
    this.consumer = Name.check("consumer", consumer);
    this.store = Require.nonNull("store", store);
  }

  /** Returns the consumer's name. */
  public String consumer() {
    return consumer;
  }

  /**
   * Runs the work unless the message was processed before.
   *
   * @param transaction the caller's open transaction; the caller commits it
   * @param message the message
   * @param work what to do with it
   * @return {@link InboxOutcome#PROCESSED} where the work ran
   * @throws X what the work throws; roll back
   * @throws io.outledger.StoreException if the database failed or asks to try again; roll back
   */
  public <X extends Exception> InboxOutcome process(T transaction, Received message, Work<X> work)
      throws X {
    Require.nonNull("transaction", transaction);
    Require.nonNull("work", work);
    InboxId id = Require.nonNull("message", message).inboxId();
    if (!store.insert(transaction, consumer, Set.of(id)).contains(id)) {
      return InboxOutcome.DUPLICATE;
    }
    work.run();
    return InboxOutcome.PROCESSED;
  }

  /**
   * Runs the work once, for those messages of a batch that were not processed before; not at all
   * where there are none. All ids go to the database in one statement.
   *
   * @param transaction the caller's open transaction; the caller commits it
   * @param messages the batch, in the order received; one that is in it twice is a duplicate the
   *     second time
   * @param work what to do with the new ones
   * @return the outcome of each message of the batch, in its order
   * @throws X what the work throws; roll back
   * @throws io.outledger.StoreException if the database failed or asks to try again; roll back
   */
  public <X extends Exception> List<InboxOutcome> processAll(
      T transaction, List<Received> messages, BatchWork<X> work) throws X {
    Map<InboxId, Received> first = new LinkedHashMap<>();
    Require.nonNull("transaction", transaction);
    Require.nonNull("work", work);
    Require.nonNull("messages", messages)
        .forEach(message -> first.putIfAbsent(message.inboxId(), message));
    if (first.isEmpty()) {
      return List.of();
    }
    first.keySet().retainAll(store.insert(transaction, consumer, Set.copyOf(first.keySet())));
    if (!first.isEmpty()) {
      work.run(List.copyOf(first.values()));
    }
    List<InboxOutcome> outcomes = new ArrayList<>(messages.size());
    for (Received message : messages) {
      boolean processed = first.remove(message.inboxId()) != null;
      outcomes.add(processed ? InboxOutcome.PROCESSED : InboxOutcome.DUPLICATE);
    }
    return List.copyOf(outcomes);
  }

  /**
   * A consumer's work for a new message.
   *
   * @param <X> what it may throw; a {@link RuntimeException} type where it throws nothing checked
   */
  @FunctionalInterface
  public interface Work<X extends Exception> {

    /** Does it, in the transaction that the inbox was given. */
    void run() throws X;
  }

  /**
   * A consumer's work for the new messages of a batch.
   *
   * @param <X> what it may throw; a {@link RuntimeException} type where it throws nothing checked
   */
  @FunctionalInterface
  public interface BatchWork<X extends Exception> {

    /**
     * Does it, in the transaction that the inbox was given.
     *
     * @param fresh the messages that are new, one or more, each once, in the order received
     */
    void run(List<Received> fresh) throws X;
  }
}
