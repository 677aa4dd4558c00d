// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import org.junit.jupiter.api.Nested;

/**
 * The contract of every {@link io.outledger.publish.Publisher}. An implementer writes
 *
 * <pre>{@code
 * final class KafkaPublisherContractIT extends PublisherContract {
 *   @Override
 *   protected PublisherFixture openFixture() {
 *     return new KafkaFixture(…);
 *   }
 * }
 * }</pre>
 *
 * <p>Each test opens a fixture and closes it.
 */
public abstract class PublisherContract {

  /** For the implementer's test class. */
  protected PublisherContract() {}

  /** Opens a fixture with an empty destination that can be reached. */
  protected abstract PublisherFixture openFixture();

  @Nested
  final class Delivering extends DeliverContractTests {
    @Override
    PublisherFixture openFixture() {
      return PublisherContract.this.openFixture();
    }
  }

  @Nested
  final class Failing extends FailContractTests {
    @Override
    PublisherFixture openFixture() {
      return PublisherContract.this.openFixture();
    }
  }

  @Nested
  final class Closing extends CloseContractTests {
    @Override
    PublisherFixture openFixture() {
      return PublisherContract.this.openFixture();
    }
  }

  @Nested
  final class TakingBack extends RecallContractTests {
    @Override
    PublisherFixture openFixture() {
      return PublisherContract.this.openFixture();
    }
  }

  @Nested
  final class FallingSilent extends SilenceContractTests {
    @Override
    PublisherFixture openFixture() {
      return PublisherContract.this.openFixture();
    }
  }

  @Nested
  final class CuttingTheLine extends CutLineContractTests {
    @Override
    PublisherFixture openFixture() {
      return PublisherContract.this.openFixture();
    }
  }

  @Nested
  final class Crashing extends CrashContractTests {
    @Override
    PublisherFixture openFixture() {
      return PublisherContract.this.openFixture();
    }
  }

  @Nested
  final class Logging extends OutageLogContractTests {
    @Override
    PublisherFixture openFixture() {
      return PublisherContract.this.openFixture();
    }
  }
}
