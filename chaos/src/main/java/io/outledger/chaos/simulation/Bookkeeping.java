// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.chaos.history.Entry;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.store.ParkedChange;
import io.outledger.store.Save;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a subscription's relays tell against what they write: between two saves as many
 * messages must be told of as are settled, parked and taken back in the tables.
 */
final class Bookkeeping {

  private final Map<RelayProcess, Page> pages = new HashMap<>();
  private final boolean hasOneRoute;
  private long settledTold;
  private long settled;
  private long parkedTold;
  private long parked;
  private long removedTold;
  private long removed;

  Bookkeeping(boolean hasOneRoute) {
    this.hasOneRoute = hasOneRoute;
  }

  /** What one owner has told since its last save. */
  private static final class Page {
    private Frontier from = Frontier.START;
    private @Nullable Save save;
    private long holes;
    private long parked;
    private long recovered;
    private long notTaken;
    private long discarded;
  }

  /** Takes a save that the database has made. */
  void wrote(RelayProcess process, Save save) {
    pages.computeIfAbsent(process, absent -> new Page()).save = save;
  }

  /** Takes what a relay tells. */
  void heard(RelayProcess process, RelayEvent event) {
    Page page = pages.computeIfAbsent(process, absent -> new Page());
    if (event instanceof RelayEvent.LeaseTaken taken) {
      startAnew(process, taken.from());
    } else if (event instanceof RelayEvent.HolesDropped dropped) {
      page.holes += dropped.holes().size();
    } else if (event instanceof RelayEvent.Parked
        || event instanceof RelayEvent.Held
        || event instanceof RelayEvent.Died) {
      page.parked++;
    } else if (event instanceof RelayEvent.Recovered) {
      page.recovered++;
    } else if (event instanceof RelayEvent.NotTaken) {
      page.notTaken++;
    } else if (event instanceof RelayEvent.Discarded) {
      page.discarded++;
    } else if (event instanceof RelayEvent.Saved saved) {
      compare(page, saved);
      startAnew(process, saved.frontier());
    }
  }

  /**
   * Returns what was told in all, beside what the tables say. Of several routes each tells of what
   * it has published or parked, and a message is settled by the last.
   */
  List<Entry.Figure> figures() {
    return List.of(
        new Entry.Figure("settled", hasOneRoute ? settledTold : settled, settled),
        new Entry.Figure("parked", parkedTold, parked),
        new Entry.Figure("no longer parked", removedTold, removed));
  }

  private void startAnew(RelayProcess process, Frontier from) {
    Page page = new Page();
    page.from = from;
    pages.put(process, page);
  }

  private void compare(Page page, RelayEvent.Saved told) {
    Save save = page.save;
    if (save == null) {
      settledTold++; // it told of a save that nobody made
      return;
    }
    long newlyParked = count(save, ParkedChange.Park.class);
    settled += settledBetween(page.from, save.whole());
    settledTold += page.holes + told.filtered() + told.published() - page.recovered + newlyParked;
    parked += newlyParked + count(save, ParkedChange.Fail.class);
    parkedTold += page.parked;
    removed += count(save, ParkedChange.Remove.class);
    removedTold += page.recovered + page.notTaken + page.discarded;
  }

  private static long count(Save save, Class<? extends ParkedChange> kind) {
    return save.changes().stream().filter(kind::isInstance).count();
  }

  private static long settledBetween(Frontier before, Frontier after) {
    Positions passed = Positions.range(before.high() + 1, after.high());
    return before.open().union(passed).minus(after.open()).size();
  }
}
