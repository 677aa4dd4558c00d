// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** Whose turn it is. */
final class Turns {

  private static final int SHIFT = 3;

  private Turns() {}

  /**
   * Returns those of a kind in the order of a round: who begins changes from round to round, and so
   * does who comes after whom.
   */
  static List<EntrantProcess> of(
      List<EntrantProcess> processes, Collection<Entrant> kind, int round) {
    List<EntrantProcess> order = new ArrayList<>();
    for (EntrantProcess process : processes) {
      if (kind.contains(process.entrant())) {
        order.add(process);
      }
    }
    if (round % 2 != 0) {
      Collections.reverse(order);
    }
    Collections.rotate(order, SHIFT * round);
    return order;
  }
}
