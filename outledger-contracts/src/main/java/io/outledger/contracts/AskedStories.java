// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Delivery;
import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Requests;
import io.outledger.jdbc.admin.CancelScheduled;
import io.outledger.jdbc.admin.DeclarationState;
import io.outledger.jdbc.admin.DeliverNow;
import io.outledger.jdbc.admin.Move;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.Revision;
import io.outledger.jdbc.admin.ScheduledQuery;
import io.outledger.jdbc.admin.Skip;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.admin.Which;
import io.outledger.store.Declaration;
import io.outledger.store.Declaring;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import io.outledger.store.PauseScope;
import io.outledger.store.Start;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** One of each verb that an operator asks for, with something that it is about. */
abstract class AskedStories extends DatabaseContractTests {

  static final String WHO = "anna";
  static final String WHY = "the vendor is down";

  /** What an operator asks for, and whether it has happened. */
  record Story(Verb verb, BooleanSupplier hasHappened) {}

  final Requests requests() {
    return process().requests();
  }

  final Story prepared(String name) {
    return Objects.requireNonNull(stories().get(name)).get();
  }

  final Map<String, Supplier<Story>> stories() {
    Map<String, Supplier<Story>> stories = new LinkedHashMap<>();
    stories.put("move", this::move);
    stories.put("skip", this::skip);
    stories.put("delete", this::delete);
    stories.put("end declaration", this::endDeclaration);
    stories.put("pause", this::pause);
    stories.put("resume", this::resume);
    stories.put("retry", () -> parked(true));
    stories.put("discard", () -> parked(false));
    stories.put("erase", this::erase);
    stories.put("revise", this::revise);
    stories.put("forget", this::forget);
    stories.put("cancel scheduled", this::cancelScheduled);
    stories.put("deliver now", this::deliverNow);
    return stories;
  }

  private Story move() {
    String name = fresh();
    append("a");
    Owner owner = owner(name);
    settle(owner);
    return new Story(new Move(name, Start.EARLIEST), () -> high(name) == 0);
  }

  private Story skip() {
    String name = fresh();
    append("a");
    owner(name).release();
    long last = count("SELECT MAX(position) FROM outledger_message");
    return new Story(new Skip(name, Start.at(last + 1)), () -> high(name) == last);
  }

  private long high(String name) {
    return count(
        "SELECT MAX(high) FROM outledger_cursor WHERE subscription = '"
            + name
            + "' AND n = (SELECT MAX(n) FROM outledger_cursor WHERE subscription = '"
            + name
            + "')");
  }

  private Story delete() {
    String name = fresh();
    append("a");
    Owner owner = owner(name);
    settle(owner);
    owner.release();
    return new Story(
        new Verb.Delete(name),
        () ->
            count("SELECT COUNT(*) FROM outledger_subscription WHERE subscription = '" + name + "'")
                == 0);
  }

  private Story endDeclaration() {
    String name = fresh();
    Declaration mail = Declaration.everything("mail");
    open(name, Start.EARLIEST).declare(new Declaring(Set.of(mail), Set.of()));
    return new Story(
        new Verb.EndDeclaration(Reader.subscription(name), mail),
        () ->
            process().admin().declarations(Reader.subscription(name)).stream()
                .allMatch(DeclarationState::isEnded));
  }

  private Story pause() {
    String name = fresh();
    owner(name);
    return new Story(new Verb.Pause(name, PauseScope.topic("orders")), () -> isPaused(name));
  }

  private Story resume() {
    Story paused = pause();
    String name = paused.verb().reader().name();
    requests().ask(paused.verb().by(WHO, WHY));
    return new Story(new Verb.Resume(name, PauseScope.topic("orders")), () -> !isPaused(name));
  }

  private boolean isPaused(String name) {
    return count(
            "SELECT COUNT(*) FROM outledger_pause WHERE subscription = '"
                + name
                + "' AND NOT ended")
        > 0;
  }

  private Story parked(boolean retry) {
    String name = fresh();
    Owner owner = owner(name);
    owner.save(ParkedRows.park(1, "a", ParkedState.DEAD, null));
    Reader reader = Reader.subscription(name);
    Which all = new Which.Selected(ParkedSelection.of(ParkedState.DEAD));
    return new Story(
        retry
            ? new Verb.Retry(reader, all, Pace.UNLIMITED)
            : new Verb.Discard(reader, all, Pace.UNLIMITED),
        () ->
            retry
                ? owner.due().size() == 1
                : owner.store().discards(ParkedPlace.FIRST, 10).size() == 1);
  }

  private Story erase() {
    String key = fresh();
    append(key);
    settle(owner(fresh()));
    return new Story(
        Verb.Erase.key(key),
        () ->
            count(
                    "SELECT COUNT(*) FROM outledger_message WHERE erased AND message_key = '"
                        + key
                        + "'")
                == 1);
  }

  private Story revise() {
    String name = fresh();
    Owner owner = owner(name);
    owner.save(ParkedRows.park(1, name, ParkedState.DEAD, null));
    return new Story(
        new Verb.Revise(name, ParkedRows.place("", 1), Revision.payload(new byte[] {1})),
        () -> {
          int discarded = owner.store().discards(ParkedPlace.FIRST, 10).size();
          long appended =
              count("SELECT COUNT(*) FROM outledger_message WHERE message_key = '" + name + "'");
          assertThat(appended).as("in one transaction, once").isEqualTo(discarded);
          return discarded == 1;
        });
  }

  private Story forget() {
    LedgerMessage message = new LedgerMessage(1, StoreContractTests.message("a"));
    String name = fresh();
    remember(name, message);
    InboxId id = Received.ofLedger(name, 1, message.message()).inboxId();
    long remembered = count("SELECT COUNT(*) FROM outledger_inbox");
    return new Story(
        new Verb.Forget(name + "/mail", Set.of(id)),
        () -> count("SELECT COUNT(*) FROM outledger_inbox") == remembered - 1);
  }

  private Story cancelScheduled() {
    String name = fresh();
    Delivery later = Delivery.after(LONG).named(name);
    process().outbox().inNewTransaction(StoreContractTests.message("a"), later);
    return new Story(
        CancelScheduled.named(name),
        () -> count("SELECT COUNT(*) FROM outledger_scheduled WHERE name = '" + name + "'") == 0);
  }

  private Story deliverNow() {
    String name = fresh();
    Delivery later = Delivery.after(LONG).named(name);
    process().outbox().inNewTransaction(StoreContractTests.message("a"), later);
    ScheduledQuery query = ScheduledQuery.ALL.withName(name);
    Instant planned = process().admin().scheduled(query).rows().get(0).dueAt();
    return new Story(
        DeliverNow.named(name),
        () ->
            process().admin().scheduled(query).rows().stream()
                .allMatch(each -> each.dueAt().isBefore(planned)));
  }

  private static String fresh() {
    return "s" + UUID.randomUUID();
  }
}
