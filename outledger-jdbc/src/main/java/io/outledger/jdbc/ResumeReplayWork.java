// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.ResumeReplay;
import io.outledger.jdbc.spi.RequestRow;
import io.outledger.jdbc.spi.RequestStep;
import io.outledger.jdbc.spi.RequestTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Has a stopped replay be running again, where it stood. Whoever carries out requests goes on with
 * it: there is one cursor, and one row that counts.
 *
 * @param works returns what does a replay; empty where a newer release has asked for it
 */
record ResumeReplayWork(
    RequestTable table,
    PresentNames names,
    Function<RequestRow, Optional<ReplayWork>> works,
    ResumeReplay verb)
    implements RequestWork {

  @Override
  public Optional<RequestStep> step(Connection transaction, RequestRow row) throws SQLException {
    RequestRow replay = inNamesOfNow(transaction, lock(transaction));
    if (!replay.status().reader().equals(row.status().reader())) {
      throw invalid(named() + " is one of " + replay.status().reader());
    }
    ReplayWork work =
        works.apply(replay).orElseThrow(() -> invalid(named() + " is of a newer release"));
    Stopping stopping = Stopping.of(replay, "");
    if (stopping.word() == Stopping.Word.ENDING) {
      throw invalid(named() + " " + stopping.why() + "; ask for another one");
    }
    ReplayStand stand =
        stopping.place() == null ? null : work.resumed(transaction, replay, stopping);
    String result =
        stand == null
            ? "resumed, from its beginning"
            : "resumed, behind position %s, with %s that were taken back"
                .formatted(stand.to(), stand.rest().size());
    table.write(transaction, replay, goingOn(replay.status(), stand, result));
    return Optional.of(RequestStep.done(result));
  }

  private static RequestStep goingOn(
      RequestStatus replay, @Nullable ReplayStand stand, String result) {
    return new RequestStep(
        stand == null ? RequestState.WAITING : RequestState.RUNNING,
        replay.done(),
        replay.total(),
        stand == null ? null : stand.text(),
        result,
        null,
        Duration.ZERO);
  }

  private RequestRow lock(Connection transaction) throws SQLException {
    Optional<RequestRow> stopped = table.lockStopped(transaction, verb.replay());
    Optional<RequestRow> any =
        stopped.isPresent() ? stopped : table.get(transaction, verb.replay());
    RequestStatus found =
        any.orElseThrow(
                () ->
                    new ConfigurationException(
                        ErrorCode.UNKNOWN_SUBSCRIPTION,
                        "there is no request %s; Admin.requests() lists those that are kept"
                            .formatted(verb.replay())))
            .status();
    if (!found.verb().equals("replay")) {
      throw invalid(
          "request %s is no replay but a %s: ask for that again"
              .formatted(found.id(), found.verb()));
    }
    return stopped.orElseThrow(() -> invalid(notStopped(found.state())));
  }

  private String notStopped(RequestState state) {
    return switch (state) {
      case DONE ->
          named() + " is done: nothing of it is left. To publish it again, ask for another one";
      case REFUSED -> named() + " was refused and has not begun: ask for another one";
      default -> named() + " is not stopped, or not yet: its state is " + state.stored();
    };
  }

  /** What is over keeps old names; it is over no more. */
  private RequestRow inNamesOfNow(Connection transaction, RequestRow replay) throws SQLException {
    PresentNames.Asked asked =
        new PresentNames.Asked(replay.status().reader(), replay.status().selection());
    PresentNames.Asked now = names.of(transaction, asked);
    if (now.equals(asked)) {
      return replay;
    }
    table.rename(transaction, replay, now.reader().name(), now.selection());
    return lock(transaction);
  }

  private String named() {
    return "replay " + verb.replay();
  }

  private static ConfigurationException invalid(String text) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, text);
  }
}
