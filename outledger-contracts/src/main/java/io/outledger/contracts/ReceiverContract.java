// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import org.junit.jupiter.api.Nested;

/**
 * The contract of every broker's receiver. An implementer writes
 *
 * <pre>{@code
 * final class KafkaReceiverContractIT extends ReceiverContract {
 *   @Override
 *   protected ReceiverFixture openFixture() {
 *     return new KafkaReceiverFixture(…);
 *   }
 * }
 * }</pre>
 *
 * <p>Each test opens a fixture and closes it. The consumer's database is one in memory.
 */
public abstract class ReceiverContract {

  /**
   * Tag of the tests that try what all receivers share more than the broker: a project with several
   * brokers may leave them out on some.
   */
  static final String ENGINE = DatabaseContract.ENGINE;

  /** For the implementer's test class. */
  protected ReceiverContract() {}

  /** Opens a fixture with an empty topic that can be reached. */
  protected abstract ReceiverFixture openFixture();

  @Nested
  final class Taking extends ReceiverTakeContractTests {
    @Override
    ReceiverFixture openFixture() {
      return ReceiverContract.this.openFixture();
    }
  }

  @Nested
  final class Parking extends ReceiverParkContractTests {
    @Override
    ReceiverFixture openFixture() {
      return ReceiverContract.this.openFixture();
    }
  }

  @Nested
  final class Surviving extends ReceiverFaultContractTests {
    @Override
    ReceiverFixture openFixture() {
      return ReceiverContract.this.openFixture();
    }
  }

  @Nested
  final class Strangers extends ReceiverStrangerContractTests {
    @Override
    ReceiverFixture openFixture() {
      return ReceiverContract.this.openFixture();
    }
  }

  /** Tagged {@code long}: {@code proof/strangers} runs it. */
  @Nested
  final class Fuzzing extends ReceiverFuzzContractTests {
    @Override
    ReceiverFixture openFixture() {
      return ReceiverContract.this.openFixture();
    }

    @Override
    String name() {
      return ReceiverContract.this.getClass().getSimpleName();
    }
  }

  @Nested
  final class Ending extends ReceiverEndContractTests {
    @Override
    ReceiverFixture openFixture() {
      return ReceiverContract.this.openFixture();
    }
  }
}
