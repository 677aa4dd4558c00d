// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import org.junit.jupiter.api.Nested;

/**
 * The contract of every {@link io.outledger.inbox.InboxStore}, tested through an {@link
 * io.outledger.inbox.Inbox}. An implementer writes
 *
 * <pre>{@code
 * final class PostgresInboxIT extends InboxContract<Connection> {
 *   @Override
 *   protected InboxFixture<Connection> openFixture() {
 *     return new PostgresInboxFixture(…);
 *   }
 * }
 * }</pre>
 *
 * <p>Each test opens a fixture and closes it.
 *
 * @param <T> the handle of a transaction, such as a JDBC connection
 */
public abstract class InboxContract<T> {

  /** For the implementer's test class. */
  protected InboxContract() {}

  /** Opens a fixture whose inbox remembers nothing. */
  protected abstract InboxFixture<T> openFixture();

  @Nested
  final class Processing extends ProcessContractTests<T> {
    @Override
    InboxFixture<T> openFixture() {
      return InboxContract.this.openFixture();
    }
  }

  @Nested
  final class ProcessingBatches extends BatchContractTests<T> {
    @Override
    InboxFixture<T> openFixture() {
      return InboxContract.this.openFixture();
    }
  }

  @Nested
  final class Racing extends RaceContractTests<T> {
    @Override
    InboxFixture<T> openFixture() {
      return InboxContract.this.openFixture();
    }
  }
}
