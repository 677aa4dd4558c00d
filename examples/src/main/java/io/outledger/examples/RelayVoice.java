// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples;

import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * Says in a few words on the standard output what a relay does now, for whoever started the
 * process. A real service would count the same events in its metrics.
 */
public final class RelayVoice implements RelayListener {

  /** The relay publishes now. */
  public static final String PUBLISHING = "publishing";

  /** The relay owns its subscription no longer. */
  public static final String STANDING_BY = "standing by";

  /**
   * What was on its way may be published again; followed by a space and when that was. The relay
   * has lost its lease, its database, or its line to the destination.
   */
  public static final String IN_DOUBT = "in doubt at";

  /** The destination is still away: one message has asked for it, and may be published again. */
  public static final String STILL_AWAY = "destination still away";

  private final String ledger;
  private final Consumer<String> lines;

  /**
   * Makes one that speaks on the standard output.
   *
   * @param ledger whose relay it is; each line begins with it
   */
  public RelayVoice(String ledger) {
    this(ledger, System.out::println);
  }

  /** Makes one whose lines are taken by somebody else. */
  public RelayVoice(String ledger, Consumer<String> lines) {
    this.ledger = ledger;
    this.lines = lines;
  }

  /** Returns the line by which the relay of a ledger says something. */
  public static String of(String ledger, String said) {
    return ledger + ": " + said;
  }

  @Override
  public void on(RelayEvent event) {
    if (event instanceof RelayEvent.LeaseTaken) {
      say(PUBLISHING);
    } else if (event instanceof RelayEvent.LeaseReleased) {
      say(STANDING_BY);
    } else if (event instanceof RelayEvent.LeaseLost || event instanceof RelayEvent.Moved) {
      inDoubt();
      say(STANDING_BY);
    } else if (event instanceof RelayEvent.StoreFailed) {
      inDoubt();
    } else if (event instanceof RelayEvent.OutageBegan met) {
      if (met.failures() == 1) {
        inDoubt();
      } else {
        say(STILL_AWAY);
      }
    }
  }

  private void inDoubt() {
    say(IN_DOUBT + " " + Instant.now());
  }

  private void say(String what) {
    lines.accept(of(ledger, what));
  }
}
