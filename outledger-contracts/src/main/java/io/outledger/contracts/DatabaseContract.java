// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import org.junit.jupiter.api.Nested;

/**
 * The contract of every {@link io.outledger.jdbc.spi.Database} beyond {@link StoreContract} and
 * {@link InboxContract}: its schema, appending, locked keys, the commit of an inbox, receiving,
 * administration and retention. An implementer writes
 *
 * <pre>{@code
 * final class PostgresDatabaseIT extends DatabaseContract {
 *   @Override
 *   protected DatabaseFixture openFixture() {
 *     return new PostgresDatabaseFixture(…);
 *   }
 * }
 * }</pre>
 *
 * <p>Each test opens a fixture and closes it.
 */
public abstract class DatabaseContract {

  /** For the implementer's test class. */
  protected DatabaseContract() {}

  /** Opens a fixture with an empty database. */
  protected abstract DatabaseFixture openFixture();

  @Nested
  final class MakingTables extends SchemaContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class Appending extends AppendContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class LockingKeys extends KeyLockContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class NamingConsumers extends InboxNameContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class CommittingInboxes extends InboxProofContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class Receiving extends ReceivingContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class KeepingReceivedKeysInOrder extends ReceivingKeyContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class ReceivingByChoice extends ReceivingChoiceContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class AdministeringReceivedMessages extends ReceiptContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class RollingOut extends RollOutContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class MovingSubscriptions extends MoveContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class ListingAndDeletingSubscriptions extends SubscriptionContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class Asking extends AskContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class ReadingRequests extends AdminRequestContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class AskingForMuch extends BoundedRequestContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class AskingForManyParkedMessages extends ParkedRequestContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class ReplayingAsAJob extends ReplayJobContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class ReplayingIntoHandlers extends ReplayAgainContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class Revising extends RevisionContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class Renaming extends RenameContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class GivingUpNames extends GivenUpNameContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class Forgetting extends ForgetContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class RenamingConsumersAndRoutes extends RenamePartContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class Erasing extends ErasureContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class PausingRelays extends PausedRelayContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class AskingForParkedMessages extends RequestContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class Purging extends PurgeContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class ShowingMessages extends ViewContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class ShowingStatus extends StatusContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class ReadingAsAnOperator extends AdminReadContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class ReadingWhatIsParked extends AdminParkedContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class TellingAttempts extends AttemptContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class TellingAttemptsOfReceivers extends ReceivedAttemptContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class TellingTypes extends StoredTypesContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class TellingWhy extends WhyContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class HandlingMessagesOfEmptiedLedgers extends EmptiedLedgerHandlerContractTests {
    @Override
    HandlersFixture openFixture() {
      return new DatabaseHandlers(DatabaseContract.this.openFixture());
    }
  }
}
