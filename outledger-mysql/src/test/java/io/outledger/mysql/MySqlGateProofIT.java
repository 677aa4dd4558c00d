// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

final class MySqlGateProofIT extends GateProofIT {

  MySqlGateProofIT() {
    super(TestDatabase.onMySql());
  }
}
