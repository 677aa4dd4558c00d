// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.UnknownName;
import io.outledger.jdbc.admin.CancelScheduled;
import io.outledger.jdbc.admin.DeliverNow;
import io.outledger.jdbc.admin.Divide;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ParkedRequest;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.ResumeReplay;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.admin.Which;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.DeclarationTable;
import io.outledger.jdbc.spi.Fenced;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.ReplayRows;
import io.outledger.jdbc.spi.RequestRow;
import io.outledger.jdbc.spi.SubscriptionStore;
import io.outledger.jdbc.spi.VerbText;
import io.outledger.store.ParkedPlace;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Knows for each verb what does it. */
final class RequestWorks {

  private final Database database;
  private final SubscriptionStore subscriptions;
  private final OperatorTransactions transactions;

  RequestWorks(
      Database database, SubscriptionStore subscriptions, OperatorTransactions transactions) {
    this.database = database;
    this.subscriptions = subscriptions;
    this.transactions = transactions;
  }

  RequestWork of(Verb verb) {
    if (verb instanceof Verb.OfPlace move) {
      return endingReplays(
          fenced -> new MoveWork(subscriptions, transactions, move, fenced),
          move.subscription(),
          "ended, because the subscription was moved");
    }
    if (verb instanceof Verb.Delete delete) {
      return endingReplays(
          fenced -> new DeleteWork(subscriptions, database, delete, fenced),
          delete.subscription(),
          "ended, because the subscription was deleted");
    }
    if (verb instanceof Verb.EndDeclaration end) {
      return new EndDeclarationWork(declarations(end.reader()), end);
    }
    if (verb instanceof Verb.Pause pause) {
      return new PauseWork(subscriptions, database.pauses(), declarations(pause.reader()), pause);
    }
    if (verb instanceof Verb.Resume resume) {
      return new ResumeWork(subscriptions, database.pauses(), resume);
    }
    if (verb instanceof Verb.Replay replay) {
      return new ReplayWork(
          subscriptions, database::replayRows, declarations(replay.reader()), replay);
    }
    if (verb instanceof ResumeReplay resume) {
      return new ResumeReplayWork(
          database.requests(), new PresentNames(database), this::replay, resume);
    }
    if (verb instanceof Verb.Rename rename) {
      return new RenameWork(database, subscriptions, rename);
    }
    if (verb instanceof Divide divide) {
      return new DivideWork(subscriptions, database.pauses(), divide);
    }
    if (verb instanceof Verb.Erase erase) {
      return new ErasureWork(database, subscriptions, transactions, erase);
    }
    if (verb instanceof Verb.Revise revise) {
      return new RevisionWork(database, subscriptions, revise);
    }
    if (verb instanceof Verb.Forget forget) {
      return new ForgetWork(database, forget);
    }
    if (verb instanceof CancelScheduled cancel) {
      return ScheduledWork.cancelling(database.scheduled(), cancel);
    }
    if (verb instanceof DeliverNow now) {
      return ScheduledWork.deliveringNow(database.scheduled(), now);
    }
    if (verb instanceof Verb.Retry retry) {
      return parked(retry.reader(), ParkedRequest.RETRY, retry.which(), retry.pace());
    }
    Verb.Discard discard = (Verb.Discard) verb;
    return parked(discard.reader(), ParkedRequest.DISCARD, discard.which(), discard.pace());
  }

  private RequestWork endingReplays(
      Function<Fenced, RequestWork> work, String subscription, String ended) {
    ReplayRows rows = database.replayRows(CursorKey.of(subscription));
    return new EndingReplays(work, database.requests(), rows, this::replay, ended);
  }

  /** Returns what does a replay; empty where a newer release has asked for it. */
  private Optional<ReplayWork> replay(RequestRow row) {
    return VerbText.read(row).map(verb -> (ReplayWork) of(verb));
  }

  private RequestWork parked(Reader reader, ParkedRequest what, Which which, Pace pace) {
    if (reader.isConsumer()) {
      return new ParkedRequestWork<>(
          database.parkedNotes(reader.name()), new OfConsumer(reader), what, which, pace);
    }
    return new OfCursors(
        subscriptions,
        reader.name(),
        key ->
            new ParkedRequestWork<>(
                database.parkedNotes(key), new OfSubscription(reader.name()), what, which, pace));
  }

  private DeclarationTable declarations(Reader reader) {
    return database.declarations(
        new DeclarationTable.Reader(reader.kind().stored(), reader.name(), ""));
  }

  private final class OfSubscription implements ParkedRequestWork.Parts<ParkedPlace> {

    private final String name;

    OfSubscription(String name) {
      this.name = name;
    }

    @Override
    public @Nullable ParkedPlace one(Which which) {
      return which instanceof Which.Place one ? one.place() : null;
    }

    @Override
    public String text(ParkedPlace place) {
      return place.position() + " " + place.id() + " " + place.route();
    }

    @Override
    public ParkedPlace place(String text) {
      String[] parts = text.split(" ", 3);
      return new ParkedPlace(parts[2], Long.parseLong(parts[0]), UUID.fromString(parts[1]));
    }

    @Override
    public void requireKnown(Connection transaction, Which which) throws SQLException {
      subscriptions.requireThere(transaction, subscriptions.cursors(transaction, name).get(0));
      String route = route(which);
      if (route != null) {
        declarations(Reader.subscription(name)).requireRoute(transaction, route);
      }
    }

    @Override
    public String awaited(Connection transaction, Instant now) throws SQLException {
      return Awaited.owner(transaction, subscriptions, name, now);
    }
  }

  private static @Nullable String route(Which which) {
    if (which instanceof Which.Selected all) {
      return all.selection().route();
    }
    return which instanceof Which.Place one ? one.place().route() : null;
  }

  private final class OfConsumer implements ParkedRequestWork.Parts<Long> {

    private final Reader reader;

    OfConsumer(Reader reader) {
      this.reader = reader;
    }

    @Override
    public @Nullable Long one(Which which) {
      return which instanceof Which.Numbered one ? one.number() : null;
    }

    @Override
    public String text(Long place) {
      return place.toString();
    }

    @Override
    public Long place(String text) {
      return Long.valueOf(text);
    }

    @Override
    public void requireKnown(Connection transaction, Which which) throws SQLException {
      Set<String> known = database.received().consumers(transaction);
      boolean isDeclared = declarations(reader).revision(transaction) > 0;
      if (!known.contains(reader.name()) && !isDeclared) {
        throw UnknownName.consumer(reader.name(), known);
      }
    }

    @Override
    public String awaited(Connection transaction, Instant now) {
      return Awaited.receiver(reader.name());
    }
  }
}
