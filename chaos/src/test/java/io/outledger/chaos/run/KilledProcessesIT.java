// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.chaos.checker.Report;
import io.outledger.chaos.database.Product;
import io.outledger.chaos.fault.Fault;
import io.outledger.chaos.fault.Incident;
import io.outledger.chaos.shop.Cast;
import io.outledger.chaos.shop.ShopPlan;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The seed is {@code outledger.seed}, 1 unless set. {@code ./outledger chaos} is the same for as
 * long as one likes.
 */
class KilledProcessesIT {

  /** Long enough for the first steps of a relay on a machine that has a third of a processor. */
  private static final Duration LEASE = Duration.ofSeconds(5);

  /** Each fault, and those most often that the product has to bear most often. */
  private static final Map<Fault, Integer> FEW =
      Map.of(
          Fault.RELAY_KILLED, 4,
          Fault.WRITER_KILLED, 1,
          Fault.CONSUMER_KILLED, 1,
          Fault.DATABASE_KILLED, 2,
          Fault.BROKER_KILLED, 1,
          Fault.OWNER_FROZEN, 1,
          Fault.CONNECTION_CUT, 1,
          Fault.REPLIES_LOST, 1,
          Fault.OWNER_STOPPED, 2);

  private static final Map<Fault, Integer> MANY =
      Map.of(
          Fault.RELAY_KILLED, 10,
          Fault.WRITER_KILLED, 2,
          Fault.CONSUMER_KILLED, 2,
          Fault.DATABASE_KILLED, 4,
          Fault.BROKER_KILLED, 2,
          Fault.OWNER_FROZEN, 2,
          Fault.CONNECTION_CUT, 3,
          Fault.REPLIES_LOST, 2,
          Fault.OWNER_STOPPED, 4);

  private static final Map<Fault, Integer> MOVES =
      Map.of(
          Fault.RELAY_KILLED, 1,
          Fault.DATABASE_KILLED, 1,
          Fault.OWNER_STOPPED, 1,
          Fault.TRANSACTION_PREPARED, 1,
          Fault.RESTORED, 1,
          Fault.LED_TO_REPLICA, 2,
          Fault.REPLICA_PROMOTED, 1);

  @Test
  void everyPromiseHoldsWhateverIsKilled(@TempDir Path folder) throws SQLException {
    everyPromiseHolds(plan(Product.POSTGRESQL, folder), FEW, 9);
  }

  @Test
  @Tag("long")
  void everyPromiseHoldsHoweverOftenItIsKilled(@TempDir Path folder) throws SQLException {
    everyPromiseHolds(plan(Product.POSTGRESQL, folder), MANY, 20);
  }

  @ParameterizedTest
  @EnumSource(names = {"MARIADB", "MYSQL"})
  @Tag("long")
  void everyPromiseHoldsWhereADatabaseMoves(Product product, @TempDir Path folder)
      throws SQLException {
    everyPromiseHolds(plan(product, folder), MOVES, 2);
  }

  private static ShopPlan plan(Product product, Path folder) {
    Cast cast = product == Product.POSTGRESQL ? Cast.of(2, 2, 1) : Cast.of(2, 1, 1);
    return new ShopPlan(product, folder, LEASE, cast, null);
  }

  private static void everyPromiseHolds(ShopPlan plan, Map<Fault, Integer> counts, int kills)
      throws SQLException {
    long seed = Long.getLong("outledger.seed", 1);
    try (ChaosRun run = new ChaosRun(plan, seed, Schedule.of(seed, counts), new Nobody())) {
      Outcome outcome = run.run();
      Report report = outcome.report();

      System.out.println(report);
      assertThat(outcome.held()).as("seed " + seed + " " + outcome.brokenOff() + report).isTrue();
      assertThat(report.counts().published()).isEqualTo(report.counts().committed()).isPositive();
      // A stop after which the lease is kept breaks the run off, and no duplicate may follow one.
      assertThat(outcome.byFault().get(Fault.OWNER_STOPPED))
          .hasSize(counts.getOrDefault(Fault.OWNER_STOPPED, 0));
      assertThat(outcome.incidents()).filteredOn(Incident::isKill).hasSize(kills);
      assertThat(outcome.byFault().get(Fault.RELAY_KILLED))
          .allSatisfy(kill -> assertThat(kill.inFlight()).isPositive());
    }
  }

  private static final class Nobody implements ChaosRun.Watcher {
    @Override
    public void begins(Fault fault) {}

    @Override
    public void happened(Incident incident) {}

    @Override
    public void says(String what) {}
  }
}
