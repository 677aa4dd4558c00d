// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.StoreException;
import java.time.Duration;
import java.util.function.Predicate;
import org.slf4j.Logger;

/**
 * What background work does where its role lacks a right: it warns once, and looks once a minute.
 * Rights are missing until somebody grants them, each look without them is a line in the database's
 * log, and another process may have them. For one thread.
 */
final class MissingRights {

  /** How long to wait before the next look. */
  static final Duration LOOK = Duration.ofMinutes(1);

  private final Logger log;
  private final Predicate<StoreException> isMissing;
  private boolean hasWarned;

  MissingRights(Logger log, Predicate<StoreException> isMissing) {
    this.log = log;
    this.isMissing = isMissing;
  }

  /** Returns whether something failed since a right is missing. */
  boolean caused(Throwable failure) {
    return failure instanceof StoreException store && isMissing.test(store);
  }

  /**
   * Warns, for the first time only.
   *
   * @param doing what this process cannot do, such as {@code look for operators' requests}
   * @param grants what to grant to its role
   */
  void tell(String doing, String grants, Throwable failure) {
    if (!hasWarned) {
      hasWarned = true;
      log.warn(
          "this process lacks the rights to {}; it is left to others. Grant its role {}: {}",
          doing,
          grants,
          failure.getMessage());
    }
  }
}
