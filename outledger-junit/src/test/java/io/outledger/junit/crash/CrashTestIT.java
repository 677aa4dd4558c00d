// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.Postgres;
import java.util.HashSet;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.postgresql.ds.PGSimpleDataSource;

/** A flow that is right survives a crash at each of its steps. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CrashTestIT {

  private static final Set<String> CRASHED_AT = new HashSet<>();

  private static final String TEMPLATE = template();

  private static String template() {
    String template = Postgres.shared().createDatabase();
    Shop.createTables(dataSource(template));
    return template;
  }

  static DataSource emptyDatabase() {
    return dataSource(Postgres.shared().createDatabaseFrom(TEMPLATE));
  }

  private static DataSource dataSource(String name) {
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setUrl(Postgres.shared().jdbcUrl(name));
    return database;
  }

  @Order(1)
  @CrashTest
  void anOrderIsPublishedMailedAndReserved(CrashTrial trial) throws Exception {
    DataSource database = emptyDatabase();
    trial
        .start(process -> new Shop(process, database))
        .request(shop -> shop.place("o-1"))
        .settle((process, shop) -> shop.settle())
        .observe(() -> Shop.observe(database))
        .check();
  }

  @Order(2)
  @CrashTest
  void oneThatTakesStepsOfItsOwnDoesToo(CrashTrial trial) throws Exception {
    trial
        .<AutoCloseable>start(process -> () -> {})
        .settle(
            (process, shop) -> {
              process.repeatableEffect("done");
              step("first", process);
              step("last", process);
            })
        .check();
  }

  @Order(3)
  @Test
  void itHasCrashedAtEachStepUpToTheLast() {
    assertThat(CRASHED_AT).containsExactlyInAnyOrder("first", "last");
  }

  private static void step(String name, CrashingProcess process) {
    try {
      process.step(name);
    } catch (CrashError e) {
      CRASHED_AT.add(name);
      throw e;
    }
  }
}
