// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * The contract of what operators read and ask of every {@link io.outledger.jdbc.spi.Database}:
 * requests with their audit, pauses, replays, erasures, revisions, other names, attempts, scheduled
 * messages, and why a message waits. An implementer writes
 *
 * <pre>{@code
 * final class PostgresOperatorIT extends OperatorContract {
 *   @Override
 *   protected DatabaseFixture openFixture() {
 *     return new PostgresDatabaseFixture(…);
 *   }
 * }
 * }</pre>
 *
 * <p>Each test opens a fixture and closes it.
 */
public abstract class OperatorContract {

  /** For the implementer's test class. */
  protected OperatorContract() {}

  /** Opens a fixture with an empty database. */
  protected abstract DatabaseFixture openFixture();

  @Nested
  final class Asking extends AskContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  final class ReadingRequests extends AdminRequestContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  @Tag(DatabaseContract.ENGINE)
  final class AskingForMuch extends BoundedRequestContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  @Tag(DatabaseContract.ENGINE)
  final class StoppingRequests extends StoppedRequestContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  @Tag(DatabaseContract.ENGINE)
  final class AskingForManyParkedMessages extends ParkedRequestContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  final class ReplayingAsAJob extends ReplayJobContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  final class ResumingReplays extends ResumedReplayContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  final class AskingWhereNobodyRuns extends OwnerlessRequestContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  final class ListingManyReaders extends ManyReadersContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  final class BoundingReplays extends ReplayBoundsContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  final class KeepingTheAudit extends AuditContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  final class ReplayingIntoHandlers extends ReplayAgainContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  final class Revising extends RevisionContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  final class Renaming extends RenameContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  final class GivingUpNames extends GivenUpNameContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  final class Forgetting extends ForgetContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  final class RenamingConsumersAndRoutes extends RenamePartContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  final class Erasing extends ErasureContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  final class PausingRelays extends PausedRelayContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  final class AskingForParkedMessages extends RequestContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  final class ReadingAsAnOperator extends AdminReadContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  final class ReadingWhatIsParked extends AdminParkedContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  final class TellingAttempts extends AttemptContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  final class TellingAttemptsOfReceivers extends ReceivedAttemptContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  final class TellingTypes extends StoredTypesContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  final class AdministeringScheduledMessages extends ScheduledOperatorContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }

  @Nested
  final class TellingWhy extends WhyContractTests {
    @Override
    DatabaseFixture openFixture() {
      return OperatorContract.this.openFixture();
    }
  }
}
