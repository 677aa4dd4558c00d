// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import org.junit.jupiter.api.Nested;

/**
 * The contract of a store that numbers each writer, and knows at once when one has ended; beside
 * what every store promises. The proof needs less: a store may give one number to several writers.
 */
public abstract class EachWriterStoreContract extends StoreContract {

  /** For the implementer's test class. */
  protected EachWriterStoreContract() {}

  @Nested
  final class NumberingWriters extends WriterNumberContractTests {
    @Override
    StoreFixture openFixture() {
      return EachWriterStoreContract.this.openFixture();
    }
  }
}
