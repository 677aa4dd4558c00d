// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import java.util.Map;

/** Hears what a relay tells: for the books, for the reader, and for what has happened at all. */
final class Listener implements RelayListener {

  private static final Map<Class<? extends RelayEvent>, Happening> HAPPENINGS =
      Map.of(
          RelayEvent.TooManyOpen.class, Happening.TOO_MANY_OPEN,
          RelayEvent.Parked.class, Happening.MESSAGE_PARKED,
          RelayEvent.Held.class, Happening.MESSAGE_HELD,
          RelayEvent.Died.class, Happening.MESSAGE_DEAD,
          RelayEvent.Recovered.class, Happening.MESSAGE_RECOVERED,
          RelayEvent.Discarded.class, Happening.DEAD_LETTER_DISCARDED,
          RelayEvent.OvertakenByKey.class, Happening.MESSAGE_OVERTAKEN_BY_KEY,
          RelayEvent.OutageBegan.class, Happening.OUTAGE_BEGAN,
          RelayEvent.OutageOver.class, Happening.OUTAGE_OVER,
          RelayEvent.BreakerOpened.class, Happening.BREAKER_OPENED);

  private final World world;
  private final RelayProcess process;

  Listener(World world, RelayProcess process) {
    this.world = world;
    this.process = process;
  }

  @Override
  public void on(RelayEvent event) {
    if (event instanceof RelayEvent.Measured) {
      return;
    }
    world.tell(process, () -> "says " + event);
    process.subscription().bookkeeping().heard(process, event);
    Happening happening = HAPPENINGS.get(event.getClass());
    if (happening != null) {
      world.note(happening);
    } else if (event instanceof RelayEvent.BreakerClosed closed) {
      world.note(closed.recovered() ? Happening.BREAKER_RECOVERED : Happening.BREAKER_GAVE_UP);
    } else if (event instanceof RelayEvent.Lacks lacks && !lacks.declarations().isEmpty()) {
      world.note(Happening.ROUTE_LACKED);
    } else if (event instanceof RelayEvent.PausesChanged changed && !changed.pauses().isEmpty()) {
      world.note(Happening.PAUSE_KNOWN);
    } else if (event instanceof RelayEvent.HandsOver) {
      world.note(Happening.HANDED_OVER_TO_ONE_WITH_MORE);
    } else if (event instanceof RelayEvent.LeaseLost || event instanceof RelayEvent.Moved) {
      process.leaseLost();
    } else if (event instanceof RelayEvent.HolesDropped) {
      process.holesDropped();
    }
  }
}
