// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import org.hibernate.FlushMode;
import org.hibernate.Session;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Hibernate's flush mode {@code MANUAL}, in which an application holds changes back until it
 * flushes them itself: a flush by somebody else would write what it may want to drop.
 */
final class ManualFlush {

  private static final boolean HAS_HIBERNATE =
      isPresent("org.hibernate.Session")
          && isPresent("org.springframework.orm.jpa.EntityManagerHolder");

  private ManualFlush() {}

  private static boolean isPresent(String name) {
    return ClassUtils.isPresent(name, ManualFlush.class.getClassLoader());
  }

  /** Returns whether a persistence context in the running transaction is in this mode. */
  static boolean isRunning() {
    return HAS_HIBERNATE && Hibernate.isRunning();
  }

  /** Loaded only where Hibernate and Spring's support of it are on the class path. */
  private static final class Hibernate {

    static boolean isRunning() {
      return TransactionSynchronizationManager.getResourceMap().values().stream()
          .anyMatch(
              resource ->
                  resource instanceof EntityManagerHolder holder
                      && holder.getEntityManager() instanceof Session session
                      && session.isJoinedToTransaction()
                      && session.getHibernateFlushMode() == FlushMode.MANUAL);
    }
  }
}
