// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

final class MySqlBrokenTransactionIT extends BrokenTransactionIT {

  MySqlBrokenTransactionIT() {
    super(TestDatabase.onMySql());
  }
}
