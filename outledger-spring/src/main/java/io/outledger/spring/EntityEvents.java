// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.StoreException;
import io.outledger.jpa.DomainEventCapture;
import io.outledger.jpa.DomainEventListeners;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.springframework.orm.jpa.EntityManagerFactoryInfo;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Appends the domain events of JPA entities to a {@link SpringOutbox}, in the order in which they
 * were raised. It needs outledger-jpa and Hibernate. The starters add it; elsewhere:
 *
 * <pre>{@code
 * var events = new EntityEvents(outbox);
 * events.install(entityManagerFactory, listeners -> {});
 * transactions.beforeAppend(events);
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class EntityEvents implements BeforeAppend {

  private final Supplier<SpringOutbox> outbox;

  // By Hibernate's factory, which may be several beans, and by bean, as transactions know it.
  private final Map<EntityManagerFactory, DomainEventCapture> installed = new ConcurrentHashMap<>();
  private final Map<EntityManagerFactory, DomainEventCapture> captures = new ConcurrentHashMap<>();

  /**
   * Creates it.
   *
   * @param outbox what the events are appended to
   */
  public EntityEvents(SpringOutbox outbox) {
    Require.nonNull("outbox", outbox);
    this.outbox = () -> outbox;
  }

  /**
   * Creates it for an outbox that may not be made yet.
   *
   * @param outbox asked whenever an event is appended
   */
  public EntityEvents(Supplier<SpringOutbox> outbox) {
    this.outbox = Require.nonNull("outbox", outbox);
  }

  /**
   * Captures the events of a factory's entities, for as long as it is open. What its proxies share
   * is captured once.
   *
   * @param factory Spring's bean, or what transaction managers were given
   * @param listeners names what is done with events inside the transaction
   * @throws io.outledger.ConfigurationException {@code OUT-021} as {@link
   *     DomainEventCapture#install(EntityManagerFactory, io.outledger.Outbox, Consumer)} does, and
   *     where the persistence unit has JTA transactions
   */
  public void install(EntityManagerFactory factory, Consumer<DomainEventListeners> listeners) {
    Require.nonNull("listeners", listeners);
    captures.put(
        Require.nonNull("factory", factory),
        installed.computeIfAbsent(
            hibernates(factory),
            each -> DomainEventCapture.install(each, this::append, listeners)));
  }

  private static EntityManagerFactory hibernates(EntityManagerFactory factory) {
    return factory instanceof EntityManagerFactoryInfo info
        ? info.getNativeEntityManagerFactory()
        : factory;
  }

  /** Captures in each persistence context of the transaction, which was flushed just before. */
  @Override
  public void beforeAppend() {
    forEachRunning(DomainEventCapture::settleFlushed);
  }

  /** What entities have raised comes before what the application appends after it. */
  @Override
  public void atEachAppend() {
    forEachRunning(DomainEventCapture::notePlaces);
  }

  /** What is captured after a savepoint goes with it. */
  @Override
  public Runnable atSavepoint() {
    IdentityHashMap<EntityManager, Integer> marks = new IdentityHashMap<>();
    forEachRunning((capture, entities) -> marks.put(entities, capture.markFlushed(entities)));
    return () ->
        forEachRunning(
            (capture, entities) -> capture.rollBackTo(entities, marks.getOrDefault(entities, 0)));
  }

  private void forEachRunning(BiConsumer<DomainEventCapture, EntityManager> action) {
    captures.forEach(
        (factory, capture) -> {
          if (TransactionSynchronizationManager.getResource(factory)
                  instanceof EntityManagerHolder holder
              && outbox.get().isJoinedBy(holder.getEntityManager())) {
            action.accept(capture, holder.getEntityManager());
          }
        });
  }

  private void append(Object event, long order, Connection connection) {
    SpringOutbox appending = outbox.get();
    boolean isIn = appending.writesOver(connection);
    if (!isIn && !appending.knows(event)) {
      return; // of an entity of another data source, perhaps: none of ours
    }
    if (!isIn && (appending.isInTransaction() || isAlone())) {
      throw new StoreException(
          ErrorCode.NO_TRANSACTION,
          "cannot append the "
              + event.getClass().getName()
              + " that an entity has raised: its entity manager has a transaction of its own, begun"
              + " by hand or joined to Spring's, and the outbox writes in Spring's. Use an entity"
              + " manager that is injected, in a @Transactional method");
    }
    appending.appendOnce(event, order); // or says why it cannot
  }

  private static boolean isAlone() {
    return !TransactionSynchronizationManager.isActualTransactionActive();
  }
}
