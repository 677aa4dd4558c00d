// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.chaos.history.Entry;
import io.outledger.store.ParkedPlace;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The copies of settled messages that replays have made in one route. Each is to arrive once more
 * before its owner removes it, and none may be gone otherwise. That none arrives more often is for
 * the checker of duplicates.
 */
final class Copies {

  private final World world;
  private final ModelBroker broker;

  /** Those that are still to come, with how often their message had arrived before. */
  private final Map<ParkedPlace, Long> arrivedBefore = new HashMap<>();

  private long ended;
  private long cameAgain;

  Copies(World world, ModelBroker broker) {
    this.world = world;
    this.broker = broker;
  }

  /** A replay has made one. */
  void made(ParkedPlace place) {
    arrivedBefore.put(place, broker.count(place.id()));
  }

  /** An operator wants the row discarded: whether that comes first is nobody's promise. */
  void givenUp(ParkedPlace place) {
    arrivedBefore.remove(place);
  }

  /** Its owner has removed a row, and the database has made that save. */
  void removed(ParkedPlace place) {
    Long before = arrivedBefore.remove(place);
    if (before == null) {
      return; // no copy
    }
    ended++;
    if (broker.count(place.id()) > before) {
      cameAgain++;
      world.note(Happening.REPLAYED_MESSAGE_CAME_AGAIN);
    }
  }

  /** The subscription was moved, which has taken back those that are not parked any more. */
  void keepOnly(Set<ParkedPlace> parked) {
    if (arrivedBefore.keySet().retainAll(parked)) {
      world.note(Happening.REPLAY_ENDED_BY_MOVE);
    }
  }

  /** The database has lost what was asked of it, or the subscription was deleted. */
  void expectNone() {
    arrivedBefore.clear();
  }

  /**
   * Returns how many have come to their end, beside how many of them arrived.
   *
   * @param parked what is parked at the end: of a copy that is a dead letter nothing is expected
   */
  Entry.Figure figure(Set<ParkedPlace> parked) {
    long gone = arrivedBefore.keySet().stream().filter(place -> !parked.contains(place)).count();
    return new Entry.Figure("replayed messages that came again", ended + gone, cameAgain);
  }
}
