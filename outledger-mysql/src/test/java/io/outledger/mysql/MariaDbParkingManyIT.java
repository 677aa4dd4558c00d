// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

final class MariaDbParkingManyIT extends ParkingManyIT {

  MariaDbParkingManyIT() {
    super(TestDatabase.onMariaDb());
  }
}
