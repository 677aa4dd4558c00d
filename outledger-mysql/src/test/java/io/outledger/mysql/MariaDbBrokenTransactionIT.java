// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

final class MariaDbBrokenTransactionIT extends BrokenTransactionIT {

  MariaDbBrokenTransactionIT() {
    super(TestDatabase.onMariaDb());
  }
}
