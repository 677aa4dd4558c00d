// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

final class InMemoryStoreTest extends EachWriterStoreContract {

  @Override
  protected StoreFixture openFixture() {
    return new InMemoryStoreFixture();
  }
}
