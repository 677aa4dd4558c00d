// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.fault;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** What is held open for a while, so that other things happen meanwhile. Used by one thread. */
public final class Holds {

  private final List<Hold> open = new ArrayList<>();

  /** Starts with nothing held. */
  public Holds() {}

  /** Something that is held open until its time has come. */
  interface Hold {

    /** Says when its time has come, of the clock that all processes here share. */
    long untilMs();

    /** Lets it go. The server may have gone before it. */
    void end();
  }

  void add(Hold hold) {
    open.add(hold);
  }

  int count() {
    return open.size();
  }

  /** Lets go what has been held long enough. */
  public void endDue() {
    long now = Scene.now();
    for (Iterator<Hold> holds = open.iterator(); holds.hasNext(); ) {
      Hold hold = holds.next();
      if (hold.untilMs() <= now) {
        holds.remove();
        hold.end();
      }
    }
  }

  /** Lets go everything. */
  public void endAll() {
    open.forEach(Hold::end);
    open.clear();
  }
}
