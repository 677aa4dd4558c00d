// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import org.junit.jupiter.api.Nested;

/**
 * What every {@link io.outledger.store.RelayStore} promises. An implementer writes
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
  final class Starting extends StartStory {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class Leasing extends LeaseStory {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class Polling extends PollStory {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class CuttingPages extends PageBytesStory {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class Proving extends HorizonStory {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class Saving extends SaveStory {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class Fencing extends FenceStory {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class Parking extends ParkStory {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class ParkingInLanes extends ParkedLaneStory {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class Unreadable extends UnreadableStory {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class Replaying extends ReplayStory {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }

  @Nested
  final class BlockingKeys extends BlockedKeyStory {
    @Override
    StoreFixture openFixture() {
      return StoreContract.this.openFixture();
    }
  }
}
