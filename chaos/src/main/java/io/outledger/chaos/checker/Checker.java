// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.checker;

import io.outledger.chaos.history.Entry;
import io.outledger.chaos.history.History;
import java.nio.file.Path;

/**
 * Reads the history of one subscription's run and says which promises were broken. Feed it the
 * writers' log, the database's end state, the raw arrivals and the effects, in any order of files;
 * then ask for the report. It holds about 200 bytes for each message. Not thread-safe.
 */
public final class Checker {

  private final Trails trails = new Trails();
  private final Deliveries deliveries = new Deliveries();
  private final Duplicates duplicates = new Duplicates();
  private final Owners owners = new Owners();
  private final Effects effects = new Effects();
  private final Audits audits = new Audits();
  private final Findings figures = new Findings();

  /** Starts with an empty history. */
  public Checker() {}

  /**
   * Takes a history file; torn lines are passed over, and a file that is not there is empty.
   *
   * @return this
   */
  public Checker read(Path history) {
    History.read(history, this::accept);
    return this;
  }

  /** Takes an entry. */
  public void accept(Entry entry) {
    if (entry instanceof Entry.Wrote wrote) {
      trails.wrote(wrote);
    } else if (entry instanceof Entry.Stored stored) {
      trails.of(stored.id()).position = stored.position();
    } else if (entry instanceof Entry.Parked parked) {
      trails.parked(parked);
    } else if (entry instanceof Entry.Cursor cursor) {
      deliveries.cursor(cursor);
    } else if (entry instanceof Entry.Arrived arrived) {
      trails.arrived(arrived);
    } else if (entry instanceof Entry.Acknowledged acknowledged) {
      trails.of(acknowledged.id()).isAcknowledged = true;
    } else if (entry instanceof Entry.Overtaken overtaken) {
      trails.overtaken(overtaken);
    } else if (entry instanceof Entry.Released released) {
      trails.of(released.id()).isReleased = true;
    } else if (entry instanceof Entry.Forgotten forgotten) {
      trails.of(forgotten.id()).isForgotten = true;
    } else if (entry instanceof Entry.Discarded discarded) {
      trails.of(discarded.id()).isDiscarded = true;
    } else {
      acceptAside(entry);
    }
  }

  /** Judges what was read so far. */
  public Report report() {
    Findings findings = new Findings();
    Orders orders = new Orders();
    deliveries.judge(trails, findings);
    orders.judge(trails, findings);
    duplicates.judge(trails, findings);
    owners.judge(findings);
    effects.judge(trails, findings);
    audits.judge(findings);
    figures.all().forEach(f -> findings.add(f.verdict(), f.subject(), f.detail()));
    return new Report(findings.all(), counts(orders));
  }

  private void acceptAside(Entry entry) {
    if (entry instanceof Entry.Changed changed) {
      owners.changed(changed);
    } else if (entry instanceof Entry.Asked asked) {
      audits.asked(asked.id());
    } else if (entry instanceof Entry.Unasked unasked) {
      audits.unasked(unasked.id());
    } else if (entry instanceof Entry.Audited audited) {
      audits.audited(audited);
    } else if (entry instanceof Entry.Crashed crashed) {
      duplicates.crashed(crashed);
    } else if (entry instanceof Entry.MayRepeat mayRepeat) {
      duplicates.mayRepeat(mayRepeat.id());
    } else if (entry instanceof Entry.Consumes consumes) {
      effects.consumes(consumes);
    } else if (entry instanceof Entry.Effect effect) {
      effects.effect(effect);
    } else if (entry instanceof Entry.Figure figure && figure.reported() != figure.counted()) {
      figures.add(
          Verdict.METRIC_LIE,
          figure.name(),
          "reported " + figure.reported() + ", and it is " + figure.counted());
    } else if (entry instanceof Entry.Left left && left.count() > left.allowed()) {
      figures.add(
          Verdict.LEAK,
          left.resource(),
          left.count() + " are left, and " + left.allowed() + " may be");
    }
  }

  private Report.Counts counts(Orders orders) {
    long committed = trails.all().stream().filter(Trail::isCommitted).count();
    long rolledBack =
        trails.all().stream().filter(t -> t.outcome != null && !t.isCommitted()).count();
    long published = trails.all().stream().filter(t -> t.isCommitted() && t.hasArrived()).count();
    long dead = trails.all().stream().filter(t -> t.isDead).count();
    return new Report.Counts(
        committed,
        rolledBack,
        published,
        dead,
        Duplicates.count(trails),
        duplicates.max(),
        orders.overtaken(),
        effects.count());
  }
}
