// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The ledger as a whole.
 *
 * @param oldest the first message that is there; null if there is none
 * @param newest the last message that is visible; null if there is none
 * @param age how long ago the oldest was inserted, by the database's clock; zero if there is none
 * @param lastNumber the last position that a writer has drawn, committed or not
 * @param purgedTo up to where retention has removed messages; 0 if it has removed none
 * @param bytes how much room the table takes, its indexes included
 * @param isUnread whether no subscription reads it: then nothing is published, and nothing removed
 */
public record LedgerState(
    @Nullable Point oldest,
    @Nullable Point newest,
    Duration age,
    long lastNumber,
    long purgedTo,
    long bytes,
    boolean isUnread) {

  /**
   * A message's place and time.
   *
   * @param position its position
   * @param time when it was created, by its writer's clock
   */
  public record Point(long position, Instant time) {}
}
