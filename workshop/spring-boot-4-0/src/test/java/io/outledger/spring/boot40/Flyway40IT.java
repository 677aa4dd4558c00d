// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot40;

import io.outledger.spring.contract.FlywayContract;

/** Flyway's part of docs/spring.md. */
class Flyway40IT extends FlywayContract {

  Flyway40IT() {
    super(OutledgerMigration.class, QuickStartMigration.class);
  }
}
