// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.jdbc.Outledger;
import io.outledger.jpa.DomainEventCapture;
import io.outledger.spring.BeforeAppend;
import io.outledger.spring.SpringOutbox;
import io.outledger.spring.SpringTransactions;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.orm.jpa.EntityManagerFactoryInfo;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Captures the domain events of every entity manager factory as soon as there is one, so that not
 * even work of the start is missed, and appends them to the application's outbox. Thread-safe.
 */
final class JpaCapture implements BeanPostProcessor, BeforeAppend {

  private final ObjectProvider<Outledger> outledger;
  private final ObjectProvider<SpringTransactions> transactions;
  private final ObjectProvider<SpringOutbox> outbox;

  // By Hibernate's factory, which may be several beans, and by bean, as transactions know it.
  private final Map<EntityManagerFactory, DomainEventCapture> installed = new ConcurrentHashMap<>();
  private final Map<EntityManagerFactory, DomainEventCapture> captures = new ConcurrentHashMap<>();

  JpaCapture(
      ObjectProvider<Outledger> outledger,
      ObjectProvider<SpringTransactions> transactions,
      ObjectProvider<SpringOutbox> outbox) {
    this.outledger = outledger;
    this.transactions = transactions;
    this.outbox = outbox;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    if (bean instanceof EntityManagerFactory factory) {
      captures.put(
          factory,
          installed.computeIfAbsent(
              hibernates(factory),
              each ->
                  DomainEventCapture.install(
                      each, (event, order, connection) -> append(event, order, connection))));
    }
    return bean;
  }

  private static EntityManagerFactory hibernates(EntityManagerFactory factory) {
    return factory instanceof EntityManagerFactoryInfo info
        ? info.getNativeEntityManagerFactory()
        : factory;
  }

  /** Flushes and captures in each persistence context of the transaction. */
  @Override
  public void beforeAppend() {
    forEachRunning(DomainEventCapture::settle);
  }

  /** What entities have raised comes before what the application appends after it. */
  @Override
  public void atEachAppend() {
    forEachRunning(DomainEventCapture::notePlaces);
  }

  private void forEachRunning(BiConsumer<DomainEventCapture, EntityManager> action) {
    captures.forEach(
        (factory, capture) -> {
          if (TransactionSynchronizationManager.getResource(factory)
                  instanceof EntityManagerHolder holder
              && holder.getEntityManager().isJoinedToTransaction()) {
            action.accept(capture, holder.getEntityManager());
          }
        });
  }

  private void append(Object event, long order, Connection connection) {
    boolean isIn = isOfRunning(connection);
    if (!isIn && !outledger.getObject().events().types().isRegistered(event.getClass())) {
      return; // of an entity of another data source, perhaps: none of ours
    }
    if (!isIn && (transactions.getObject().isRunning() || isAlone())) {
      throw new StoreException(
          ErrorCode.NO_TRANSACTION,
          "cannot append the "
              + event.getClass().getName()
              + " that an entity has raised: its entity manager has a transaction of its own, begun"
              + " by hand or joined to Spring's, and the outbox writes in Spring's. Use an entity"
              + " manager that is injected, in a @Transactional method");
    }
    outbox.getObject().appendOnce(event, order); // or says why it cannot
  }

  /** Returns whether a connection is that of the transaction which the outbox writes in. */
  @SuppressWarnings("ReferenceEquality") // two connections are two transactions
  private boolean isOfRunning(Connection connection) {
    SpringTransactions running = transactions.getObject();
    return running.isRunning() && connection == running.connection();
  }

  private static boolean isAlone() {
    return !TransactionSynchronizationManager.isActualTransactionActive();
  }
}
