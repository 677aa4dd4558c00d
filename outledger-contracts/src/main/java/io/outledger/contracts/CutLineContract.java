// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import org.junit.jupiter.api.Nested;

/**
 * The contract of a {@link io.outledger.publish.Publisher} whose client tells of a line that breaks
 * at a message: {@link PublisherContract}, and that the relay finds the message at which it breaks
 * each time. One whose client tries again by itself for long, or sends many messages in one
 * request, extends {@link PublisherContract} alone: there the relay holds back what such a message
 * stops.
 */
public abstract class CutLineContract extends PublisherContract {

  /** For the implementer's test class. */
  protected CutLineContract() {}

  @Nested
  final class CuttingTheLine extends CutLineContractTests {
    @Override
    PublisherFixture openFixture() {
      return CutLineContract.this.openFixture();
    }
  }
}
