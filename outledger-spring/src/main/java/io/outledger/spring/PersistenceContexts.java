// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityTransaction;
import java.util.List;
import org.hibernate.FlushMode;
import org.hibernate.Session;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * The persistence contexts that take part in the running transaction. There are none where JPA, or
 * Spring's support of it, is not on the class path.
 */
final class PersistenceContexts {

  private static final boolean HAS_JPA =
      isPresent("jakarta.persistence.EntityManager")
          && isPresent("org.springframework.orm.jpa.EntityManagerHolder");
  private static final boolean HAS_HIBERNATE = HAS_JPA && isPresent("org.hibernate.Session");

  private PersistenceContexts() {}

  private static boolean isPresent(String name) {
    return ClassUtils.isPresent(name, PersistenceContexts.class.getClassLoader());
  }

  /**
   * Returns whether one of them is in Hibernate's flush mode {@code MANUAL}, in which an
   * application holds changes back until it flushes them itself: a flush by somebody else would
   * write what it may want to drop.
   */
  static boolean areFlushedByTheApplicationAlone() {
    return HAS_HIBERNATE && Hibernate.isManual();
  }

  /** Returns whether the transaction of one of them is marked: it refuses to commit. */
  static boolean areMarkedForRollback() {
    return HAS_JPA && Jpa.transactions().stream().anyMatch(EntityTransaction::getRollbackOnly);
  }

  /** Rolls back those whose transaction is still open, and returns whether there were any. */
  static boolean rollBack() {
    if (!HAS_JPA) {
      return false;
    }
    List<EntityTransaction> open = Jpa.transactions();
    open.forEach(EntityTransaction::rollback);
    return !open.isEmpty();
  }

  /** Loaded only where JPA and Spring's support of it are on the class path. */
  private static final class Jpa {

    static List<EntityManager> managers() {
      return TransactionSynchronizationManager.getResourceMap().values().stream()
          .filter(EntityManagerHolder.class::isInstance)
          .map(holder -> ((EntityManagerHolder) holder).getEntityManager())
          .filter(EntityManager::isJoinedToTransaction)
          .toList();
    }

    static List<EntityTransaction> transactions() {
      return managers().stream()
          .map(EntityManager::getTransaction)
          .filter(EntityTransaction::isActive)
          .toList();
    }
  }

  /** Loaded only where Hibernate is there, too. */
  private static final class Hibernate {

    static boolean isManual() {
      return Jpa.managers().stream()
          .anyMatch(
              manager ->
                  manager instanceof Session session
                      && session.getHibernateFlushMode() == FlushMode.MANUAL);
    }
  }
}
