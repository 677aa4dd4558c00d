// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.mysql.HoleStress.Outcome;
import io.outledger.mysql.HoleStress.Plan;
import io.outledger.servers.InnoDbServer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nothing that commits late is taken for a dead hole, dead holes go, and nothing that was rolled
 * back is published. What was committed is what the table holds at the end.
 *
 * <p>{@code -Doutledger.seed} is the first seed, {@code -Doutledger.kill.count=300} kills the
 * server more often.
 */
abstract class HoleProofIT {

  private static final long FIRST = Long.getLong("outledger.seed", 1);
  private static final int KILLS = Integer.getInteger("outledger.kill.count", 10);
  private static final int KILLS_A_RUN = 2;
  private static final int ROUNDS_MAX = 20;

  /** Opens a database without tables on a server that others use, too. */
  abstract TestDatabase openShared();

  /** Opens one on a server of the test's own. */
  abstract TestDatabase openOn(InnoDbServer server);

  /** Starts such a server. */
  abstract InnoDbServer startServer(String... settings);

  /** As many rounds as it takes until a naive reader has lost a message, which most do at once. */
  @Test
  void stressInWhichANaiveReaderLosesMessagesLosesNothingAndPublishesNoGhost() throws Exception {
    boolean isHard = false;
    for (int round = 0; round < ROUNDS_MAX && !isHard; round++) {
      try (TestDatabase database = openShared().withTables()) {
        Outcome outcome = HoleStress.run(database, Plan.of(FIRST + round));
        assertHeld(outcome);
        isHard = outcome.readByNaive() < outcome.inTable().size();
      }
    }
    assertThat(isHard).as("a naive reader has lost something").isTrue();
  }

  @Test
  void transactionThatOutlivesAllOthersIsNotLost() throws Exception {
    try (TestDatabase database = openShared().withTables()) {
      Outcome outcome = HoleStress.run(database, new Plan(FIRST, 0, true, ""));
      assertHeld(outcome);
      assertThat(outcome.published()).contains("longest-0", "longest-1");
    }
  }

  /** A server has one of them by default; files and triggers meet each of them in another way. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  @Tag("long")
  void numbersAreProvenInWhicheverModeTheyAreGivenOut(int mode) throws Exception {
    try (InnoDbServer server = startServer("--innodb-autoinc-lock-mode=" + mode)) {
      TestDatabase database = openOn(server).withTables(); // it goes with its server
      assertHeld(HoleStress.run(database, Plan.of(FIRST)));
    }
  }

  @Test
  @Tag("long")
  void writersWhoseStatementsAreInTheBinaryLogLoseNothing() throws Exception {
    try (InnoDbServer server =
        startServer("--log-bin=binlog", "--binlog-format=ROW", "--innodb-autoinc-lock-mode=1")) {
      TestDatabase database = openOn(server).withTables(); // it goes with its server
      Plan plan = new Plan(FIRST, 0, false, "sessionVariables=binlog_format=STATEMENT");
      assertHeld(HoleStress.run(database, plan));
    }
  }

  @Test
  @Tag("long")
  @Timeout(value = 2, unit = TimeUnit.HOURS) // 300 kills
  void serverThatIsKilledAmongPreparedTransactionsLosesNothing() throws Exception {
    try (InnoDbServer server = startServer()) {
      for (int run = 0; run < KILLS / KILLS_A_RUN; run++) {
        TestDatabase database = openOn(server).withTables(); // it goes with its server
        assertHeld(HoleStress.run(database, new Plan(FIRST + run, KILLS_A_RUN, false, "")));
      }
    }
  }

  private static void assertHeld(Outcome outcome) {
    assertThat(outcome.stories())
        .anyMatch(story -> story.outcome() == WriterStory.Outcome.COMMITTED);
    assertThat(outcome.published()).anyMatch(payload -> payload.contains(NastyWriters.FILE));
    assertThat(outcome.serverBrokeItsWord()).isEmpty();
    assertThat(outcome.lost()).as(outcome.summary()).isEmpty();
    assertThat(outcome.ghosts()).isEmpty();
    assertThat(outcome.reordered()).isEmpty();
    assertThat(outcome.holesDropped()).isPositive();
  }
}
