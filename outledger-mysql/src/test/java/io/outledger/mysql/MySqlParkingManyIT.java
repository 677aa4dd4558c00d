// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

final class MySqlParkingManyIT extends ParkingManyIT {

  MySqlParkingManyIT() {
    super(TestDatabase.onMySql());
  }
}
