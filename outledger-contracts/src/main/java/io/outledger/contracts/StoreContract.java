// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import org.junit.jupiter.api.Nested;

/**
 * The contract of every {@link io.outledger.store.RelayStore}. An implementer writes
 *
 * <pre>{@code
 * final class PostgresStoreIT extends StoreContract {
 *   @Override
 *   protected StoreFixture openFixture() {
 *     return new PostgresStoreFixture(…);
 *   }
 * }
 * }</pre>
 *
 * <p>Each test opens a fixture and closes it. The suite lets less than two seconds pass in a test.
 */
public abstract class StoreContract {

  /** For the implementer's test class. */
  protected StoreContract() {}

  /** Opens a fixture with an empty ledger and no subscription. */
  protected abstract StoreFixture openFixture();

  @Nested
  final class Starting extends StartContractTests {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class Leasing extends LeaseContractTests {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class Declaring extends DeclareContractTests {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class Polling extends PollContractTests {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class CuttingPages extends PageBytesContractTests {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class Proving extends HorizonContractTests {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class Saving extends SaveContractTests {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class Fencing extends FenceContractTests {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class Parking extends ParkContractTests {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class ParkingMany extends ParkManyContractTests {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class ParkingInRoutes extends ParkedRouteContractTests {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class Pausing extends PauseContractTests {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class Unreadable extends UnreadableContractTests {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class MovingWithParkedRows extends ParkedAfterMoveContractTests {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class ErasingAndReplaying extends ErasedAndReplayedContractTests {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class Deleting extends DeletedContractTests {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class ReusingPositions extends ReusedPositionContractTests {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class InAnEmptiedLedger extends EmptiedLedgerContractTests {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class BlockingKeys extends BlockedKeyContractTests {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }
}
