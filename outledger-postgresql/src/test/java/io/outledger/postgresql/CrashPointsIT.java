// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.store.RelayStore;
import java.lang.reflect.Method;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every call that a relay makes to its store, on a real server, and to its publisher, and
 * everything that may go wrong there. A point that is not reached fails.
 */
@Tag("long")
class CrashPointsIT {

  /** Not calls of the work: what a relay asks for once, and how it ends. */
  private static final Set<String> NOT_CALLED_AT_WORK =
      Set.of("close", "declareAgain", "keyOrder", "allowsSeveral", "recall");

  private static final Set<String> AT_THE_START =
      Set.of(
          "look",
          "declare",
          "declarations",
          "takeOver",
          "parkedElsewhere",
          "untilResumed",
          "releasable",
          "open");

  private static StoreDatabase database;

  @BeforeAll
  static void createDatabase() {
    database = StoreDatabase.create();
  }

  static Stream<Arguments> points() {
    return calls().stream()
        .flatMap(call -> Arrays.stream(Mishap.values()).map(mishap -> Arguments.of(call, mishap)));
  }

  private static Set<String> calls() {
    Set<String> calls = new TreeSet<>();
    for (Class<?> type : List.of(RelayStore.class, Publisher.class, PublisherClient.class)) {
      Arrays.stream(type.getMethods()).map(Method::getName).forEach(calls::add);
    }
    calls.removeAll(NOT_CALLED_AT_WORK);
    return calls;
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("points")
  void everyPromiseHolds(String call, Mishap mishap) throws SQLException {
    try (CrashStory story = new CrashStory(database, call, mishap)) {
      story.tell(AT_THE_START.contains(call));
      story.assertThatItHappened();
      story.assertThatNothingIsLostOrInvented();
      story.assertThatFirstArrivalsAreInOrder();
      story.assertThatDuplicatesAreBounded();
      story.assertThatNobodyWroteAfterItsSuccessor();
    }
  }
}
