// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Other sessions end at every moment of a look at who holds the ledger's lock. */
class SessionViewsIT {

  private static final int LOOKS = 5000;

  @ParameterizedTest
  @EnumSource(TestH2.Place.class)
  void sessionsThatEndDoNotFailALook(TestH2.Place place) throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (TestH2 database = TestH2.create(place);
        Connection relay = database.connect()) {
      List<Future<?>> others = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        others.add(threads.submit(() -> comeAndGo(database, isOver)));
      }
      Writers writers = new Writers(new Tables(Tables.DEFAULT_SCHEMA));
      Blockers blockers = new Blockers(new Tables(Tables.DEFAULT_SCHEMA));
      assertThatCode(
              () -> {
                for (int look = 0; look < LOOKS; look++) {
                  writers.look(relay);
                  blockers.describe(relay);
                }
              })
          .doesNotThrowAnyException();
      isOver.set(true);
      for (Future<?> other : others) {
        other.get();
      }
    } finally {
      isOver.set(true);
      threads.shutdown();
    }
  }

  private static int comeAndGo(TestH2 database, AtomicBoolean isOver) throws SQLException {
    int times = 0;
    while (!isOver.get()) {
      database.connect().close();
      times++;
    }
    return times;
  }
}
