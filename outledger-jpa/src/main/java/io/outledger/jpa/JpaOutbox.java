// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import io.outledger.Delivery;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.Name;
import io.outledger.Outbox;
import io.outledger.Require;
import io.outledger.StoreException;
import io.outledger.jdbc.Outledger;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.hibernate.engine.spi.SessionImplementor;

/**
 * The write side for applications that use Jakarta Persistence without a framework around it. It
 * captures the domain events of entities, and appends them in their own transaction, over the same
 * connection and in one statement, after the last flush and just before the commit:
 *
 * <pre>{@code
 * JpaOutbox outbox = JpaOutbox.install(entityManagerFactory, outledger);
 *
 * entityManager.getTransaction().begin();
 * entityManager.find(Order.class, id).ship(); // raises OrderShipped
 * entityManager.getTransaction().commit();    // writes the change and the message
 * }</pre>
 *
 * <p>Where a message cannot be appended, the commit fails and everything is rolled back; the cause
 * of the {@link jakarta.persistence.RollbackException} says why. Relays of this process are woken
 * after the commit. See {@link DomainEventCapture} for what is captured, and what is not.
 *
 * <p>Thread-safe; each entity manager is used by one thread at a time.
 */
public final class JpaOutbox {

  private final Outledger outledger;
  private final DomainEventCapture capture;

  private JpaOutbox(
      EntityManagerFactory factory, Outledger outledger, Consumer<DomainEventListeners> listeners) {
    this.outledger = outledger;
    this.capture =
        DomainEventCapture.installed(
            factory, listeners, session -> new SessionSink(session, outledger.outbox()));
  }

  /**
   * Installs it without listeners; see {@link #install(EntityManagerFactory, Outledger, Consumer)}.
   */
  public static JpaOutbox install(EntityManagerFactory factory, Outledger outledger) {
    return install(factory, outledger, none -> {});
  }

  /**
   * Installs it, for as long as the factory is open.
   *
   * @param factory of Hibernate ORM, 6.6 or later, on the database that has the ledger
   * @param outledger has the event types and the ledger
   * @param listeners names what is done with events inside the transaction
   * @throws io.outledger.ConfigurationException {@code OUT-021} where the factory is not
   *     Hibernate's, has a capture already, or has entities whose events cannot be captured: all
   *     are listed
   */
  public static JpaOutbox install(
      EntityManagerFactory factory, Outledger outledger, Consumer<DomainEventListeners> listeners) {
    return new JpaOutbox(factory, Require.nonNull("outledger", outledger), listeners);
  }

  /**
   * Returns an outbox for what no entity raises. What it is given is turned into messages at once,
   * and appended together with the entities' events, each at its place in the order. Used by one
   * thread at a time, as the entity manager is; it may be kept as long.
   *
   * <p>What is scheduled or cancelled is written at once: it waits beside the ledger.
   *
   * @param entityManager a transaction must be running on it at each append; a framework's proxy
   *     will do
   */
  public Outbox on(EntityManager entityManager) {
    return new SessionOutbox(this, Require.nonNull("entityManager", entityManager));
  }

  /**
   * Appends what no entity raises; see {@link #on}.
   *
   * @param entityManager that of the running transaction
   * @param eventsOrMessages events of registered classes, and {@link Message}s; none is fine
   * @return the ids of the messages, in order
   * @throws io.outledger.InvalidMessageException {@code OUT-011} to {@code OUT-015}, {@code
   *     OUT-024} where one cannot be appended; nothing of the call is
   * @throws StoreException {@code OUT-001} where no transaction is running
   */
  public List<UUID> append(EntityManager entityManager, Object... eventsOrMessages) {
    return append(
        entityManager, Arrays.asList(Require.nonNull("eventsOrMessages", eventsOrMessages)));
  }

  /**
   * Schedules what no entity raises. It is written at once, in the transaction of the entity
   * manager.
   *
   * @param entityManager that of the running transaction
   * @param event an event of a registered class, a {@link Message} or its builder
   * @param when when it is due, and under which name
   * @return the id of the message, by which it can be cancelled
   * @throws io.outledger.OutledgerException as {@link
   *     io.outledger.jdbc.JdbcOutbox#append(Connection, Object, Delivery)} does
   */
  public UUID append(EntityManager entityManager, Object event, Delivery when) {
    Require.nonNull("event", event);
    Require.nonNull("when", when);
    return running(entityManager, "schedule a message")
        .doReturningWork(connection -> outledger.outbox().append(connection, event, when));
  }

  /**
   * Cancels a scheduled message, in the transaction of the entity manager.
   *
   * @return true if it will never be delivered once this transaction has committed; false if it
   *     does not wait
   * @throws io.outledger.OutledgerException as {@link #append(EntityManager, Object, Delivery)}
   *     does
   */
  public boolean cancel(EntityManager entityManager, UUID id) {
    Require.nonNull("id", id);
    return running(entityManager, "cancel a scheduled message")
        .doReturningWork(connection -> outledger.outbox().cancel(connection, id));
  }

  /** Cancels the one that waits under a name; see {@link #cancel(EntityManager, UUID)}. */
  public boolean cancel(EntityManager entityManager, String name) {
    Name.check("scheduled message", name);
    return running(entityManager, "cancel a scheduled message")
        .doReturningWork(connection -> outledger.outbox().cancel(connection, name));
  }

  /**
   * Takes the lock of each key, and keeps it until the transaction ends; see {@link
   * io.outledger.jdbc.JdbcOutbox#lockKeys}. For transactions that change only the children of an
   * aggregate: its own row serialises them no more than a row of another table would.
   *
   * @param entityManager that of the running transaction
   * @param keys ordering keys, usually the aggregates' ids
   * @throws StoreException {@code OUT-001} where no transaction is running; {@code OUT-027} where
   *     the database gave up waiting, as in a deadlock: roll back and try again
   */
  public void lockKeys(EntityManager entityManager, String... keys) {
    Require.nonNull("keys", keys);
    SessionImplementor session = running(entityManager, "lock keys");
    session.doWork(connection -> outledger.outbox().lockKeys(connection, keys));
  }

  /** Returns the capture, for code that sets savepoints or has to flush and append early. */
  public DomainEventCapture capture() {
    return capture;
  }

  List<UUID> append(EntityManager entityManager, Collection<?> eventsOrMessages) {
    SessionImplementor session = running(entityManager, "append");
    List<Message> messages =
        session.doReturningWork(
            connection ->
                outledger
                    .events()
                    .messages(
                        eventsOrMessages, type -> type == Connection.class ? connection : null));
    capture.of(session).add(messages);
    return messages.stream().map(Message::id).toList();
  }

  private static SessionImplementor running(EntityManager entityManager, String doing) {
    SessionImplementor session = DomainEventCapture.session(entityManager);
    if (!session.isTransactionInProgress()) {
      throw new StoreException(
          ErrorCode.NO_TRANSACTION,
          "cannot "
              + doing
              + ": no transaction is running on the entity manager; begin one before, or append"
              + " through inNewTransaction(…) what belongs to none");
    }
    return session;
  }
}
