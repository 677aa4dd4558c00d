// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * The contract of every {@link io.outledger.jdbc.spi.Database} beyond {@link StoreContract} and
 * {@link InboxContract}: its schema, appending, scheduling, locked keys, the commit of an inbox,
 * receiving, subscriptions and retention. {@link OperatorContract} is beside it. An implementer
 * writes
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

  /**
   * Tag of the groups that try the engine above a database more than its SQL: they may be left out
   * on a second version of the same product, and where they are tried on other products.
   */
  static final String ENGINE = "engine";

  /**
   * Tag of the groups whose statements may depend on the product and hardly on its version: they
   * may be left out on a second version of it.
   */
  static final String PRODUCT = "product";

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
  @Tag(PRODUCT)
  final class LosingRowsOfTheSchema extends LostRowContractTests {
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
  final class WorkingUnderAllDefaults extends DefaultsContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class ReceivingAtEveryIsolation extends IsolationContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class CatchingDeadlocks extends CaughtDeadlockContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  @Tag(ENGINE)
  final class SharingPartitions extends PartitionContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  @Tag(ENGINE)
  final class AskingOfPartitions extends PartitionRequestContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  @Tag(PRODUCT)
  final class DividingSubscriptions extends DivideContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  @Tag(ENGINE)
  final class RollingToOtherPartitions extends RollToPartitionsContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  @Tag(ENGINE)
  final class PullingSlots extends SlotContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  @Tag(PRODUCT)
  final class Scheduling extends ScheduleContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  @Tag(PRODUCT)
  final class RefusingToSchedule extends RefusedScheduleContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  @Tag(PRODUCT)
  final class MovingScheduledMessages extends MoverContractTests {
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
  @Tag(ENGINE)
  final class TellingNewConsumers extends NewConsumerContractTests {
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
  @Tag(ENGINE)
  final class Receiving extends ReceivingContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  final class TryingReceivedMessagesAgain extends ReceivedRetryContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  @Tag(ENGINE)
  final class KeepingReceivedKeysInOrder extends ReceivingKeyContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  @Tag(ENGINE)
  final class ReceivingByChoice extends ReceivingChoiceContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  @Tag(PRODUCT)
  final class AdministeringReceivedMessages extends ReceiptContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  @Tag(ENGINE)
  final class RollingOut extends RollOutContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  @Tag(ENGINE)
  final class DeclaringFirst extends FirstDeclarationContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  @Tag(PRODUCT)
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
  @Tag(PRODUCT)
  final class RunningSagas extends SagaContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  @Tag(PRODUCT)
  final class AdministeringSagas extends SagaOperatorContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  @Tag(PRODUCT)
  final class TimersOfSagas extends SagaTimerContractTests {
    @Override
    DatabaseFixture openFixture() {
      return DatabaseContract.this.openFixture();
    }
  }

  @Nested
  @Tag(ENGINE)
  final class HandlingMessagesOfEmptiedLedgers extends EmptiedLedgerHandlerContractTests {
    @Override
    HandlersFixture openFixture() {
      return new DatabaseHandlers(DatabaseContract.this.openFixture());
    }
  }
}
