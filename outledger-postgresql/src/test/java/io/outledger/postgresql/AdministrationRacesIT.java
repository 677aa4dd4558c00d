// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every operation beside every other one, at the same time, whatever the pool's isolation: {@code
 * outledger.rounds} times, once unless set.
 */
class AdministrationRacesIT {

  private static final int ROUNDS = Integer.getInteger("outledger.rounds", 1);

  private final ExecutorService threads = Executors.newFixedThreadPool(2);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
  void nothingIsLostWhateverIsDoneAtTheSameTime(String isolation) throws Exception {
    StoreDatabase database = StoreDatabase.create();
    database.execute(
        "ALTER DATABASE %s SET default_transaction_isolation = '%s'"
            .formatted(database.name(), isolation));
    AdministrationRaces races = new AdministrationRaces(database, database.dataSource());
    Map<String, Callable<Object>> operations = races.operations();
    List<Map.Entry<String, Callable<Object>>> all = List.copyOf(operations.entrySet());
    for (int i = 0; i < all.size(); i++) {
      for (int j = i; j < all.size(); j++) {
        Map.Entry<String, Callable<Object>> one = all.get(i);
        Map.Entry<String, Callable<Object>> other = all.get(j);
        for (int round = 0; round < ROUNDS; round++) {
          races.reset();
          List<Object> outcomes = together(one.getValue(), other.getValue());
          assertThat(outcomes).doesNotContainNull();
          races.assertNothingIsLost(
              "%s beside %s: %s".formatted(one.getKey(), other.getKey(), outcomes));
        }
      }
    }
  }

  private List<Object> together(Callable<Object> one, Callable<Object> other) throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(2);
    Future<Object> first = threads.submit(() -> begun(barrier, one));
    Future<Object> second = threads.submit(() -> begun(barrier, other));
    return List.of(first.get(60, TimeUnit.SECONDS), second.get(60, TimeUnit.SECONDS));
  }

  private static Object begun(CyclicBarrier barrier, Callable<Object> operation) throws Exception {
    barrier.await(60, TimeUnit.SECONDS);
    return AdministrationRaces.outcome(operation);
  }
}
