// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.UnknownName;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.DeclarationTable;
import io.outledger.jdbc.spi.DeclaredNames;
import io.outledger.jdbc.spi.GoneSubscription;
import io.outledger.jdbc.spi.RenamedRows;
import io.outledger.jdbc.spi.RenamedRows.Kept;
import io.outledger.jdbc.spi.RequestRow;
import io.outledger.jdbc.spi.RequestStep;
import io.outledger.jdbc.spi.RequestTable;
import io.outledger.jdbc.spi.SubscriptionStore;
import io.outledger.jdbc.spi.VerbText;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Renames a subscription, a route or a consumer, in one transaction. It locks as those do that end
 * replays: requests, then the place.
 */
final class RenameWork implements RequestWork {

  private static final Kept NOTHING = new Kept(false, false);

  private final Database database;
  private final SubscriptionStore store;
  private final Verb.Rename verb;
  private final RenamedRows rows;
  private final RequestTable requests;

  RenameWork(Database database, SubscriptionStore store, Verb.Rename verb) {
    this.database = database;
    this.store = store;
    this.verb = verb;
    this.rows = database.renamedRows();
    this.requests = database.requests();
  }

  @Override
  public Optional<RequestStep> step(Connection transaction, RequestRow row) throws SQLException {
    List<RequestRow> open = requests.lockOthers(transaction, row);
    DeclarationTable declared = declared(verb.reader(), row);
    requireName(new DeclaredNames(declared).renamedTo(transaction));
    String route = verb.route();
    if (route != null || verb.reader().isConsumer()) {
      requireNoSagas(transaction, route == null ? verb.reader().name() : route);
    }
    String result;
    if (route != null) {
      result = route(transaction, declared, route);
    } else {
      Reader to = new Reader(verb.reader().kind(), verb.to(), verb.reader().partition());
      result =
          verb.reader().isConsumer()
              ? consumer(transaction, declared, declared(to, row))
              : subscription(transaction, declared, declared(to, row));
    }
    for (RequestRow each : open) {
      if (isOfTheSame(each)) {
        continue; // it is refused: whoever asked has not seen the name that this one gives
      }
      String selection = each.status().selection();
      requests.rename(
          transaction,
          each,
          route == null ? verb.to() : verb.reader().name(),
          route == null ? selection : VerbText.withRoute(selection, route, verb.to()));
    }
    return Optional.of(RequestStep.done(result));
  }

  /** Returns whether a request is to give another name to what this one renames. */
  private boolean isOfTheSame(RequestRow other) {
    return VerbText.read(other)
        .filter(each -> each instanceof Verb.Rename rename && isOfTheSame(rename))
        .isPresent();
  }

  private boolean isOfTheSame(Verb.Rename other) {
    return Objects.equals(other.route(), verb.route());
  }

  /** What a member of a consumer has parked in its old name since follows by the same request. */
  private void requireName(Optional<String> now) {
    boolean isAgain = verb.reader().isConsumer() && now.filter(verb.to()::equals).isPresent();
    if (now.isPresent() && !isAgain) {
      throw new ConfigurationException(
          ErrorCode.RENAMED,
          "%s was renamed to \"%s\"; nothing was renamed. Ask for that name"
              .formatted(verb.reader(), now.get()));
    }
  }

  /** A saga is its handler's name: its rows and its time-outs would stay behind in the old one. */
  private void requireNoSagas(Connection transaction, String handler) throws SQLException {
    if (database.sagas().isAny(transaction, handler)) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          ("sagas \"%s\" have not ended, and would find no message in another name; nothing was"
                  + " renamed. Let them end first, or keep the name")
              .formatted(handler));
    }
  }

  private DeclarationTable declared(Reader reader, RequestRow row) {
    return database.declarations(
        new DeclarationTable.Reader(reader.kind().stored(), reader.name(), row.status().askedBy()));
  }

  private String subscription(Connection transaction, DeclarationTable from, DeclarationTable to)
      throws SQLException {
    String name = verb.reader().name();
    CursorKey there = store.cursors(transaction, verb.to()).get(0);
    boolean isBack = isBack(new DeclaredNames(to).renamedTo(transaction), name);
    GoneSubscription.requireFree(there, there.partition() == 0);
    for (CursorKey key : store.cursors(transaction, name)) {
      store.rename(transaction, key, new CursorKey(verb.to(), key.partition()));
    }
    requireFree(
        "subscription \"" + verb.to() + "\"",
        isDeclared(transaction, to),
        isBack ? NOTHING : rows.ofSubscription(transaction, verb.to()));
    rows.subscription(transaction, name, verb.to());
    new DeclaredNames(from).rename(transaction, new DeclaredNames(to));
    return "subscription \"" + name + "\" is called \"" + verb.to() + "\" now";
  }

  private static boolean isDeclared(Connection transaction, DeclarationTable reader)
      throws SQLException {
    return !reader.current(transaction).current().isEmpty();
  }

  private String route(Connection transaction, DeclarationTable declared, String from)
      throws SQLException {
    String name = verb.reader().name();
    for (CursorKey key : store.cursors(transaction, name)) {
      store.lockIdle(transaction, key);
    }
    DeclaredNames names = new DeclaredNames(declared);
    boolean isBack = isBack(Optional.ofNullable(names.routes(transaction).get(verb.to())), from);
    Set<String> known = declared.current(transaction).routes();
    if (!known.contains(from) && !rows.isRoute(transaction, name, from)) {
      throw UnknownName.selectedRoute(from, name, declared.routes(transaction));
    }
    requireFree(
        "route \"" + verb.to() + "\" of subscription \"" + name + "\"",
        known.contains(verb.to()),
        isBack ? NOTHING : rows.ofRoute(transaction, name, verb.to()));
    rows.route(transaction, name, from, verb.to());
    names.renameRoute(transaction, from, verb.to());
    return "route \"%s\" of subscription \"%s\" is called \"%s\" now"
        .formatted(from, name, verb.to());
  }

  private String consumer(Connection transaction, DeclarationTable from, DeclarationTable to)
      throws SQLException {
    String name = verb.reader().name();
    DeclaredNames names = new DeclaredNames(from);
    boolean isAgain = names.renamedTo(transaction).filter(verb.to()::equals).isPresent();
    if (!isAgain) {
      boolean isBack = isBack(new DeclaredNames(to).renamedTo(transaction), name);
      boolean isKnown = rows.isConsumer(transaction, name) || isDeclared(transaction, from);
      if (!isKnown) {
        throw UnknownName.consumer(name, database.received().consumers(transaction));
      }
      requireFree(
          "consumer \"" + verb.to() + "\"",
          isDeclared(transaction, to),
          isBack ? NOTHING : rows.ofConsumer(transaction, verb.to()));
    }
    long moved = rows.consumer(transaction, name, verb.to());
    if (!isAgain) {
      names.rename(transaction, new DeclaredNames(to));
    }
    return ("consumer \"%s\" is called \"%s\" now; parked messages that came along: %s. Its broker"
            + " knows it as \"%s\": keep its group or subscription where you have set one")
        .formatted(name, verb.to(), moved, rows.firstName(transaction, verb.to()));
  }

  /**
   * Returns whether the new name is one that this reader or route had before.
   *
   * @param now the name that whoever had the new one has now
   * @throws ConfigurationException {@code OUT-021} if somebody else had it
   */
  private boolean isBack(Optional<String> now, String from) {
    if (now.isPresent() && !now.get().equals(from)) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "the name \"%s\" was given up for \"%s\" and is kept from processes that have it yet;"
                  .formatted(verb.to(), now.get())
              + " nothing was renamed. Use another name");
    }
    return now.isPresent();
  }

  /** Refuses a name in which somebody else has left something, and says what to do about it. */
  private static void requireFree(String what, boolean isDeclared, Kept kept) {
    if (!isDeclared && !kept.isAny()) {
      return;
    }
    StringBuilder advice = new StringBuilder("Stop the processes that have this name already");
    if (isDeclared) {
      advice.append(", end what they have declared in it");
    }
    if (kept.parked()) {
      advice.append(", discard what is parked in it");
    }
    if (kept.remembered()) {
      advice.append(
          ", wait until retention has removed what is remembered of messages processed in it");
    }
    throw new ConfigurationException(
        ErrorCode.INVALID_CONFIGURATION,
        "the name of %s is taken; nothing was renamed. %s, and ask again; or use another name"
            .formatted(what, advice));
  }
}
