// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.chaos.history.CommitOutcome;
import io.outledger.chaos.history.Entry;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.relay.StepReport;
import io.outledger.store.CursorRow;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.Save;
import io.outledger.store.SaveOutcome;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/** What happened, in words for whoever reads a history step by step. */
final class Words {

  private Words() {}

  /** Ids of messages are counted through; that number is easier to follow than the id. */
  static String message(UUID id) {
    return "message " + (id.getLeastSignificantBits() & Long.MAX_VALUE);
  }

  static String owner(UUID incarnation) {
    return "owner " + incarnation.toString().substring(0, 8);
  }

  static String frontier(Frontier frontier) {
    String open = frontier.open().isEmpty() ? "nothing open" : "open " + frontier.open();
    return "seen up to " + frontier.high() + ", " + open;
  }

  static String page(Page page) {
    List<Long> positions = page.messages().stream().map(LedgerMessage::position).toList();
    return "gets %s, read up to %d%s; all transactions below %d have ended; the newest row is %d"
        .formatted(
            positions.isEmpty() ? "nothing" : "positions " + positions,
            page.readTo(),
            page.more() ? " and there is more" : "",
            page.snapshot().horizon(),
            page.newest());
  }

  static String asked(Positions open, long above, int limit) {
    String beside = open.isEmpty() ? "" : " and whatever is visible of " + open;
    String ahead = above == Long.MAX_VALUE ? "" : "up to " + limit + " above " + above;
    return "asks for " + ahead + beside;
  }

  static String save(Save save) {
    String changes =
        save.changes().stream().map(Words::change).collect(Collectors.joining(", ", " with ", ""));
    return "saves row %d: %s%s%s"
        .formatted(
            save.n() + 1,
            frontier(save.whole()),
            save.changes().isEmpty() ? "" : changes,
            save.lease().isZero() ? ", and gives the lease back" : "");
  }

  static String outcome(SaveOutcome outcome) {
    return outcome instanceof SaveOutcome.Saved saved
        ? "saved, by transaction " + saved.witness()
        : "FENCED: nothing is written";
  }

  static String row(CursorRow row) {
    String state = row.released() ? "free" : row.lapsed() ? "lapsed" : "valid";
    return "row %d of %s, whose lease is %s".formatted(row.n(), owner(row.incarnation()), state);
  }

  static String parked(List<ParkedMessage> rows) {
    return rows.isEmpty()
        ? "nothing"
        : rows.stream()
            .map(row -> row.position() + " " + row.state())
            .collect(Collectors.joining(", "));
  }

  static String step(StepReport report) {
    return "has taken a step as %s: %d published, %d passed over, %d pending; next in %s"
        .formatted(
            report.state(),
            report.published(),
            report.filtered(),
            report.pending(),
            report.nextIn());
  }

  private static String change(ParkedChange change) {
    if (change instanceof ParkedChange.Park park) {
      return "%d parked as %s".formatted(park.position(), park.message().state());
    }
    return change instanceof ParkedChange.Fail fail
        ? "%d stays parked as %s".formatted(fail.position(), fail.state())
        : change.position() + " no longer parked";
  }

  static String of(Entry entry) {
    if (entry instanceof Entry.Wrote wrote) {
      return wrote(wrote);
    } else if (entry instanceof Entry.Arrived arrived) {
      return message(arrived.id()) + " ARRIVES in " + arrived.partition() + ", " + arrived.offset();
    } else if (entry instanceof Entry.Acknowledged acknowledged) {
      return message(acknowledged.id()) + " is acknowledged";
    } else if (entry instanceof Entry.Changed changed) {
      return changed.row() + " " + changed.n() + " is " + changed.owner();
    } else if (entry instanceof Entry.Overtaken overtaken) {
      return message(overtaken.id()) + " may be overtaken by " + message(overtaken.follower());
    } else if (entry instanceof Entry.Released released) {
      return message(released.id()) + ": its key has gone on without it, it may come late";
    } else if (entry instanceof Entry.Forgotten forgotten) {
      return message(forgotten.id()) + " is lost with the tail of the database's log";
    } else if (entry instanceof Entry.Discarded discarded) {
      return message(discarded.id()) + " is to be discarded, says an operator";
    } else if (entry instanceof Entry.Crashed crashed) {
      return crashed.role() + ": what may arrive again: " + crashed.inFlight();
    }
    return entry instanceof Entry.MayRepeat repeat
        ? message(repeat.id()) + " may arrive once more"
        : "in the end: " + entry;
  }

  private static String wrote(Entry.Wrote wrote) {
    String outcome =
        wrote.outcome() == CommitOutcome.UNKNOWN
            ? "is about to be committed"
            : wrote.outcome() == CommitOutcome.COMMITTED ? "is committed" : "is rolled back";
    return message(wrote.id())
        + ", number "
        + wrote.counter()
        + " of "
        + wrote.key()
        + ", "
        + outcome;
  }
}
