// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.reading;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.NaiveLedger;
import io.outledger.frontier.Positions;
import io.outledger.frontier.Seeds;
import io.outledger.frontier.Snapshot;
import io.outledger.relay.options.RelayOptions;
import io.outledger.store.KnownMessage;
import io.outledger.store.LeaseGrant;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.ServerIdentity;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProgressTest {

  private static final ServerIdentity SERVER = new ServerIdentity("now", "ledger");
  private static final Message MESSAGE = Message.to("orders", "placed").build();
  private static final int SEEDS = Seeds.count(2_000);

  /** What the random runs must have met, or they prove nothing. */
  private int slept;

  private int missed;
  private int diedAsleep;
  private int sleptInOverflow;
  private int readAhead;

  @Test
  void nothingThatSleepsIsVisibleOrMayStillAppearOnceItIsDead() {
    Seeds.each(SEEDS, this::isNeitherLostNorDroppedTooSoon);
    assertThat(List.of(slept, missed, diedAsleep, sleptInOverflow, readAhead))
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
    sleptInOverflow += owner.sleptInOverflow;
    readAhead += owner.readAhead;
  }

  @Test
  void ledgerIsKnownAgainByTheMessageReadLast() {
    Owner owner = new Owner(new Random(1), 200);
    assertThat(owner.request().known()).isNull();
    long late = owner.ledger.begin();
    long hole = owner.ledger.append(late);
    owner.ledger.commit(owner.ledger.appendAnew());
    owner.pollAndSettle();
    assertThat(owner.request().known()).isEqualTo(new KnownMessage(hole + 1, MESSAGE.id()));

    owner.ledger.commit(late);
    owner.pollAndSettle();

    assertThat(owner.settled).contains(hole);
    assertThat(owner.request().known()).isEqualTo(new KnownMessage(hole + 1, MESSAGE.id()));
  }

  @Test
  void holesOfAnOpenTransactionAreNotLookedForUntilItEnds() {
    Owner owner = new Owner(new Random(1), 200);
    long blocker = owner.ledger.begin();
    long late = owner.ledger.append(blocker);
    owner.ledger.commit(owner.ledger.appendAnew());
    owner.pollAndSettle();
    assertThat(owner.request().open()).isEqualTo(Positions.of(late));
    owner.save();
    owner.pollAndSettle();
    assertThat(owner.request().open()).isEqualTo(Positions.NONE);
    assertThat(owner.progress.asleep()).isEqualTo(Positions.of(late));
    assertThat(owner.progress.frontier().open()).isEqualTo(Positions.of(late));
    assertThat(owner.progress.openRanges()).isEqualTo(1);

    owner.ledger.commit(blocker);
    owner.pollAndSettle();

    assertThat(owner.settled).contains(late);
    assertThat(owner.progress.frontier().open()).isEqualTo(Positions.NONE);
  }

  @Test
  void fewHolesStayInTheCursorRowAndManyMoveToRowsOfTheirOwn() {
    Owner owner = new Owner(new Random(1), 15);
    long blocker = owner.ledger.begin();
    owner.openRanges(blocker, 15);
    assertThat(owner.progress.toSave().open().ranges()).isEqualTo(15);
    assertThat(owner.progress.overflow()).isEqualTo(Positions.NONE);
    Positions added = owner.openRanges(blocker, 1);
    assertThat(owner.progress.overflow().ranges()).isEqualTo(16);
    assertThat(owner.progress.toSave().open()).isEqualTo(Positions.NONE);
    owner.openRanges(blocker, 2);
    assertThat(owner.progress.overflow().ranges()).isEqualTo(16);
    assertThat(owner.progress.toSave().open().ranges()).isEqualTo(2);

    owner.ledger.commit(blocker);
    owner.pollAndSettle();
    owner.save();
    assertThat(owner.settled).contains(added.first());
    assertThat(owner.progress.overflow()).isEqualTo(Positions.NONE);
    assertThat(owner.progress.frontier().open()).isEqualTo(Positions.NONE);
  }

  /** An owner of a subscription, each step of it at a random moment. */
  private static final class Owner {

    private final Random random;
    private final NaiveLedger ledger;
    private final TreeSet<Long> settled = new TreeSet<>();
    private final List<Long> inFlight = new ArrayList<>();
    private Frontier savedWhole = Frontier.START;
    private Positions savedOverflow = Positions.NONE;
    private final RelayOptions options;
    private Progress progress;
    private @Nullable PollRequest askedAhead;
    private @Nullable Page ahead;
    private final IdentityHashMap<Page, Set<Long>> visibleIn = new IdentityHashMap<>();
    private boolean finishing;
    private int slept;
    private int missed;
    private int diedAsleep;
    private int sleptInOverflow;
    private int readAhead;

    /** Whether a page comes with its own snapshot, or with that of a look before it. */
    private boolean isExact = true;

    Owner(long seed) {
      this(new Random(seed));
    }

    private Owner(Random random) {
      this(random, random.nextInt(4));
      isExact = random.nextInt(4) > 0;
    }

    Owner(Random random, int holeRangesInRowMax) {
      this.random = random;
      ledger = new NaiveLedger(random);
      options = RelayOptions.builder().holes(h -> h.withRangesInRowMax(holeRangesInRowMax)).build();
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
      return new Progress(new LeaseGrant(1, savedWhole, savedOverflow, List.of(), SERVER), options);
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
      finishing = true;
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
      Positions late = progress.missedBy(request, page);
      if (!late.isEmpty()) {
        missed++;
        lookFor(Look.of(request, page, late));
      } else {
        take(request, page);
      }
      if (random.nextInt(3) == 0) {
        readAhead();
      }
    }

    private void lookFor(Look look) {
      if (!finishing && random.nextBoolean()) {
        ledger.act(); // it is another snapshot
      }
      Page found = read(look.request());
      Positions others = progress.missedBy(look.asked(), found);
      if (others.isEmpty()) {
        Page merged = look.merged(found);
        visibleIn.put(merged, visibleIn.get(found));
        take(look.asked(), merged);
      } else {
        lookFor(look.with(others));
      }
    }

    private void take(PollRequest request, Page page) {
      Positions asleep = progress.asleep();
      Positions dead = progress.took(request, page);
      dead.forEach(position -> assertThat(ledger.mayStillAppear(position)).isFalse());
      dead.forEach(position -> assertThat(ledger.visible()).doesNotContain(position));
      if (!dead.intersection(asleep).isEmpty()) {
        diedAsleep++;
      }
      page.messages().forEach(message -> inFlight.add(message.position()));
      Positions still = progress.asleep();
      if (request.above() != Long.MAX_VALUE) {
        Set<Long> visible = visibleIn.getOrDefault(page, Set.of());
        still.forEach(position -> assertThat(visible).doesNotContain(position));
      }
      slept += still.isEmpty() ? 0 : 1;
      sleptInOverflow += still.intersection(progress.overflow()).isEmpty() ? 0 : 1;
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
      Snapshot snapshot = ledger.snapshot();
      if (!isExact) {
        snapshot = new Snapshot(snapshot.edge(), snapshot.running(), false);
        for (int act = random.nextInt(finishing ? 1 : 3); act > 0; act--) {
          ledger.act();
        }
      }
      NavigableSet<Long> visible = ledger.visible();
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
      long readTo = Math.max(request.above(), last);
      Page page = new Page(messages, readTo, Positions.NONE, false, snapshot, 1, 0, 0, SERVER);
      visibleIn.put(page, Set.copyOf(visible));
      return page;
    }

    private void settleOne() {
      if (!inFlight.isEmpty()) {
        long position = inFlight.remove(random.nextInt(inFlight.size()));
        settled.add(position);
        progress.settled(Positions.of(position));
      }
    }

    void save() {
      Positions overflow = progress.nextOverflow();
      assertThat(overflow.minus(progress.frontier().open())).isEqualTo(Positions.NONE);
      savedWhole =
          new Frontier(progress.high(), progress.toSave().open().minus(overflow).union(overflow));
      assertThat(savedWhole).isEqualTo(progress.frontier());
      Positions before = progress.overflow(); // a store writes what differs from it
      savedOverflow = savedOverflow.minus(before.minus(overflow)).union(overflow.minus(before));
      assertThat(savedOverflow).isEqualTo(overflow);
      progress.saved(overflow, ledger.nextTransactionId());
    }
  }
}
