// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.NaiveLedger;
import io.outledger.frontier.Positions;
import io.outledger.frontier.Seeds;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.ServerIdentity;
import io.outledger.store.Tenure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProgressTest {

  private static final ServerIdentity SERVER = new ServerIdentity("now", "1");
  private static final Message MESSAGE = Message.to("orders", "placed").build();
  private static final int YEARS = Integer.MAX_VALUE;
  private static final int SEEDS = Seeds.count(2_000);

  /** What the random runs must have met, or they prove nothing. */
  private int slept;

  private int missed;
  private int diedAsleep;
  private int sleptYoung;
  private int readAhead;

  @Test
  void nothingThatSleepsIsVisibleOrMayStillAppearOnceItIsDead() {
    Seeds.each(SEEDS, this::isNeitherLostNorDroppedTooSoon);
    assertThat(List.of(slept, missed, diedAsleep, sleptYoung, readAhead))
        .allMatch(count -> count >= SEEDS / 10);
  }

  private void isNeitherLostNorDroppedTooSoon(long seed) {
    Owner owner = new Owner(seed);
    for (int step = 0; step < 200; step++) {
      owner.act();
    }
    owner.finish();
    assertThat(owner.settled).containsAll(owner.ledger.visible());
    assertThat(owner.progress.frontier().open()).isEqualTo(Positions.NONE);
    slept += owner.slept;
    missed += owner.missed;
    diedAsleep += owner.diedAsleep;
    sleptYoung += owner.sleptYoung;
    readAhead += owner.readAhead;
  }

  @Test
  void oldHolesOfAnOpenTransactionAreNotLookedForUntilItEnds() {
    Owner owner = new Owner(new Random(1), 1, 200);
    long blocker = owner.ledger.begin();
    long late = owner.ledger.append(blocker);
    owner.ledger.commit(owner.ledger.appendAnew());
    for (int round = 0; round < 6; round++) {
      owner.pollAndSettle();
      owner.save();
    }
    assertThat(owner.request().open()).isEqualTo(Positions.NONE);
    assertThat(owner.progress.frontier().open()).isEqualTo(Positions.of(late));
    assertThat(owner.progress.aged()).isEqualTo(Positions.of(late));
    assertThat(owner.progress.openRanges()).isEqualTo(1);

    owner.ledger.commit(blocker);
    owner.pollAndSettle();

    assertThat(owner.settled).contains(late);
    assertThat(owner.progress.frontier().open()).isEqualTo(Positions.NONE);
  }

  @Test
  void youngHolesSleepWhereMoreThanAFewAreLookedFor() {
    Owner owner = new Owner(new Random(1), YEARS, 1);
    long blocker = owner.ledger.begin();
    Positions first = owner.openRanges(blocker, 1);
    assertThat(owner.request().open()).isEqualTo(first);
    Positions both = first.union(owner.openRanges(blocker, 1));
    assertThat(owner.request().open()).isEqualTo(Positions.NONE);
    assertThat(owner.progress.asleep()).isEqualTo(both);
    assertThat(owner.progress.toSave().open()).isEqualTo(both);
    assertThat(owner.progress.aged()).isEqualTo(Positions.NONE);
    assertThat(owner.progress.openRanges()).isEqualTo(2);
  }

  @Test
  void youngHolesAgeWhereTheCursorRowWouldBecomeLarge() {
    Owner owner = new Owner(new Random(1), YEARS, 1);
    long blocker = owner.ledger.begin();
    owner.openRanges(blocker, 15);
    assertThat(owner.progress.asleep().ranges()).isEqualTo(15);
    assertThat(owner.progress.aged()).isEqualTo(Positions.NONE);
    owner.openRanges(blocker, 2);
    assertThat(owner.progress.aged().ranges()).isEqualTo(17);
    assertThat(owner.progress.toSave().open()).isEqualTo(Positions.NONE);
  }

  /** An owner of a subscription, each step of it at a random moment. */
  private static final class Owner {

    private final Random random;
    private final NaiveLedger ledger;
    private final TreeSet<Long> settled = new TreeSet<>();
    private final List<Long> inFlight = new ArrayList<>();
    private Frontier savedWhole = Frontier.START;
    private Positions savedAged = Positions.NONE;
    private final RelayOptions options;
    private Progress progress;
    private @Nullable PollRequest askedAhead;
    private @Nullable Page ahead;
    private Set<Long> visibleThen = Set.of();
    private long now;
    private int slept;
    private int missed;
    private int diedAsleep;
    private int sleptYoung;
    private int readAhead;

    Owner(long seed) {
      this(new Random(seed));
    }

    private Owner(Random random) {
      this(random, 1 + random.nextInt(4), random.nextInt(4));
    }

    Owner(Random random, int holeAge, int awakeRangesMax) {
      this.random = random;
      ledger = new NaiveLedger(random);
      options =
          RelayOptions.builder()
              .holeAge(Duration.ofNanos(holeAge))
              .awakeRangesMax(awakeRangesMax)
              .build();
      progress = begin();
    }

    /** Leaves holes of one transaction that stays open, each beside a message, for a few saves. */
    Positions openRanges(long blocker, int count) {
      Positions holes = Positions.NONE;
      for (int i = 0; i < count; i++) {
        holes = holes.union(Positions.of(ledger.append(blocker)));
        long other = ledger.begin();
        ledger.append(other);
        ledger.commit(other);
      }
      while (progress.high() < ledger.visible().last()) {
        pollAndSettle();
      }
      for (int round = 0; round < 6; round++) {
        save();
        pollAndSettle();
      }
      save();
      return holes;
    }

    private Progress begin() {
      ahead = null;
      return new Progress(new Tenure(1, savedWhole, savedAged, List.of(), SERVER), options, now);
    }

    void act() {
      switch (random.nextInt(14)) {
        case 0, 1, 2, 3, 4, 5 -> ledger.act();
        case 6, 7, 8 -> poll();
        case 9, 10 -> settleOne();
        case 11, 12 -> save();
        default -> nowAndThen();
      }
    }

    private void nowAndThen() {
      if (random.nextInt(12) == 0) {
        inFlight.clear();
        progress = begin();
      } else if (progress.wantsWriters()) {
        progress.writers(ledger.writers());
        ahead = null;
      }
    }

    void finish() {
      ledger.endAll();
      for (int round = 0; round < 60; round++) {
        pollAndSettle();
        save();
      }
    }

    void pollAndSettle() {
      poll();
      while (!inFlight.isEmpty()) {
        settleOne();
      }
    }

    PollRequest request() {
      return progress.request(true, 1 + random.nextInt(4), Long.MAX_VALUE);
    }

    private void poll() {
      PollRequest request = request();
      Page page = waiting(request);
      if (progress.misses(page)) {
        missed++;
        request = request();
        page = read(request);
        assertThat(progress.misses(page)).isFalse();
      }
      Positions asleep = progress.asleep();
      Positions dead = progress.took(request, page);
      dead.forEach(position -> assertThat(ledger.mayStillAppear(position)).isFalse());
      dead.forEach(position -> assertThat(ledger.visible()).doesNotContain(position));
      if (!dead.intersection(asleep).isEmpty()) {
        diedAsleep++;
      }
      page.messages().forEach(message -> inFlight.add(message.position()));
      Positions still = progress.asleep();
      still.forEach(position -> assertThat(visibleThen).doesNotContain(position));
      slept += still.isEmpty() ? 0 : 1;
      sleptYoung += still.minus(progress.aged()).isEmpty() ? 0 : 1;
      if (random.nextInt(3) == 0) {
        readAhead();
      }
    }

    /** Returns the page that was read ahead, where it is what would be read now. */
    private Page waiting(PollRequest request) {
      Page waiting = ahead;
      PollRequest asked = askedAhead;
      ahead = null;
      if (waiting == null
          || asked == null
          || !request.open().minus(asked.open()).isEmpty()
          || waiting.messages().size() > request.limit()) {
        return read(request);
      }
      readAhead++;
      return waiting;
    }

    private void readAhead() {
      askedAhead = request();
      ahead = read(askedAhead);
    }

    private Page read(PollRequest request) {
      NavigableSet<Long> visible = ledger.visible();
      visibleThen = Set.copyOf(visible);
      List<Long> seen = new ArrayList<>();
      request
          .open()
          .forEach(
              position -> {
                if (visible.contains(position)) {
                  seen.add(position);
                }
              });
      visible.tailSet(request.above(), false).stream().limit(request.limit()).forEach(seen::add);
      List<LedgerMessage> messages =
          seen.stream().map(position -> new LedgerMessage(position, MESSAGE)).toList();
      long last = seen.isEmpty() ? 0 : seen.get(seen.size() - 1);
      return new Page(
          messages,
          Math.max(request.above(), last),
          Positions.NONE,
          false,
          ledger.snapshot(),
          1,
          SERVER);
    }

    private void settleOne() {
      if (!inFlight.isEmpty()) {
        long position = inFlight.remove(random.nextInt(inFlight.size()));
        settled.add(position);
        progress.settled(Positions.of(position));
      }
    }

    void save() {
      now++;
      Positions aged = progress.agedAt(now);
      assertThat(aged.minus(progress.frontier().open())).isEqualTo(Positions.NONE);
      savedWhole = new Frontier(progress.high(), progress.toSave().open().minus(aged).union(aged));
      assertThat(savedWhole).isEqualTo(progress.frontier());
      savedAged = aged;
      long id = ledger.nextTransactionId();
      progress.saved(aged, id);
    }
  }
}
