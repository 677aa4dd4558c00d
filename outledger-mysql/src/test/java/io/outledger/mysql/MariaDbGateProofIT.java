// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

final class MariaDbGateProofIT extends GateProofIT {

  MariaDbGateProofIT() {
    super(TestDatabase.onMariaDb());
  }
}
