// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.ConfigurationException;
import io.outledger.Name;
import io.outledger.Require;
import io.outledger.inbox.InboxId;
import io.outledger.store.Declaration;
import io.outledger.store.ParkedPlace;
import io.outledger.store.PauseScope;
import io.outledger.store.Start;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What an operator can ask for. Each is a value; {@link #by} makes a request of it.
 *
 * <pre>{@code
 * requests.ask(new Skip("kafka", Start.NOW).by("anna", "skip the load test of this morning"));
 * }</pre>
 */
public sealed interface Verb {

  /** Returns whom it is about. */
  Reader reader();

  /**
   * Returns a request for it, with a new id.
   *
   * @param askedBy who asks
   * @param reason why
   * @throws ConfigurationException {@code OUT-021} as {@link Request} does
   */
  default Request by(String askedBy, String reason) {
    return new Request(Request.newId(), this, askedBy, reason);
  }

  /** About a message that waits for its time. */
  sealed interface OfScheduled extends Verb permits CancelScheduled, DeliverNow {}

  /** Places a subscription: back, by a {@link Move}, or forward, by a {@link Skip}. */
  sealed interface OfPlace extends Verb permits Move, Skip {

    /** Returns the subscription's name. */
    String subscription();

    /** Returns where it continues. */
    Start start();

    @Override
    default Reader reader() {
      return Reader.subscription(subscription());
    }
  }

  /** About a replay that was asked for before. */
  sealed interface OfReplay extends Verb permits ResumeReplay {}

  /** About the partitions of a subscription. */
  sealed interface OfPartitions extends Verb permits Divide {}

  /**
   * Tries parked messages again now: one more attempt of each, by the owner.
   *
   * @param reader the subscription or consumer that has parked them
   * @param which which of them
   * @param pace how fast
   */
  record Retry(Reader reader, Which which, Pace pace) implements Verb {

    /**
     * Checks what is given.
     *
     * @throws ConfigurationException {@code OUT-021} if something is null, or the messages are not
     *     of that kind of reader
     */
    public Retry {
      Require.nonNull("pace", pace);
      VerbChecks.which(reader, which);
    }
  }

  /**
   * Discards parked messages permanently. An attempt that is running ends first.
   *
   * @param reader the subscription or consumer that has parked them
   * @param which which of them
   * @param pace how fast
   */
  record Discard(Reader reader, Which which, Pace pace) implements Verb {

    /**
     * Checks what is given.
     *
     * @throws ConfigurationException {@code OUT-021} if something is null, or the messages are not
     *     of that kind of reader
     */
    public Discard {
      Require.nonNull("pace", pace);
      VerbChecks.which(reader, which);
    }
  }

  /**
   * Deletes a subscription with all that belongs to it.
   *
   * @param subscription its name
   */
  record Delete(String subscription) implements Verb {

    /**
     * Checks the name.
     *
     * @throws ConfigurationException {@code OUT-006} if it is not valid
     */
    public Delete {
      Name.check("subscription", subscription);
    }

    @Override
    public Reader reader() {
      return Reader.subscription(subscription);
    }
  }

  /**
   * Gives a subscription, a route or a consumer another name, in one transaction, with all that
   * belongs to it: where it stands, what it has parked, paused, declared and open requests. What
   * its transactional handlers, or the consumer, remember stays known in the new name. Requests
   * that are over keep the old name: they are history. It is refused while a relay has the
   * subscription's lease, and where the new name is known already.
   *
   * <p>Stop the processes that have the old name, ask, and start the version that has the new one.
   * One with the old name is refused when it starts; rename it back to return. A consumer has no
   * lease: a receiver in its old name ends within about a second, and what it parks until then is
   * given to the new name if you ask once more.
   *
   * @param reader the subscription, or the consumer
   * @param route the subscription's route that is renamed, empty for the only one; null if the
   *     reader itself is
   * @param to the new name
   */
  record Rename(Reader reader, @Nullable String route, String to) implements Verb {

    /**
     * Checks what is given.
     *
     * @throws ConfigurationException {@code OUT-006} if a name is not valid, {@code OUT-021} if the
     *     reader is null, a consumer has a route, or both names are the same
     */
    public Rename {
      VerbChecks.rename(reader, route, to);
    }

    /** Creates one of a subscription. */
    public static Rename subscription(String from, String to) {
      return new Rename(Reader.subscription(from), null, to);
    }

    /** Creates one of a subscription's route, such as a handler. */
    public static Rename route(String subscription, String from, String to) {
      return new Rename(Reader.subscription(subscription), Require.nonNull("from", from), to);
    }

    /** Creates one of a consumer. */
    public static Rename consumer(String from, String to) {
      return new Rename(Reader.consumer(from), null, to);
    }
  }

  /**
   * Ends what was declared of a reader: no message waits for it any more.
   *
   * @param reader the subscription or consumer
   * @param declared what was declared
   */
  record EndDeclaration(Reader reader, Declaration declared) implements Verb {

    /**
     * Checks what is given.
     *
     * @throws ConfigurationException {@code OUT-021} if something is null
     */
    public EndDeclaration {
      Require.nonNull("reader", reader);
      Require.nonNull("declared", declared);
    }
  }

  /**
   * Pauses a subscription, a route, a topic or a key: a state that stays until it is resumed.
   *
   * @param subscription the subscription's name
   * @param what what is paused of it
   */
  record Pause(String subscription, PauseScope what) implements Verb {

    /**
     * Checks what is given.
     *
     * @throws ConfigurationException {@code OUT-006} if the name is not valid, {@code OUT-021} if
     *     the scope is null
     */
    public Pause {
      Name.check("subscription", subscription);
      Require.nonNull("what", what);
    }

    @Override
    public Reader reader() {
      return Reader.subscription(subscription);
    }
  }

  /**
   * Ends a pause.
   *
   * @param subscription the subscription's name
   * @param what what is paused of it
   */
  record Resume(String subscription, PauseScope what) implements Verb {

    /**
     * Checks what is given.
     *
     * @throws ConfigurationException {@code OUT-006} if the name is not valid, {@code OUT-021} if
     *     the scope is null
     */
    public Resume {
      Name.check("subscription", subscription);
      Require.nonNull("what", what);
    }

    @Override
    public Reader reader() {
      return Reader.subscription(subscription);
    }
  }

  /**
   * Publishes messages of the ledger once more that the subscription has settled, beside what it
   * publishes anyway. The messages come in the order of the ledger, as long as none fails. Messages
   * of the same keys that are published meanwhile may come before or after them.
   *
   * <p>A transactional handler passes over what it has processed, unless it is to process it again:
   * then it forgets a message in the transaction that takes it up. The request's result says how
   * many its handlers skip or process again, and how many were published again. A consumer of the
   * subscription that has a name of its own counts as one of every route.
   *
   * @param subscription the subscription's name
   * @param route the route in which they are published; empty for the only one
   * @param range which messages
   * @param pace how fast, and after how many dead letters it stops
   * @param processAgain whether the route's handler processes again what it has processed
   */
  record Replay(
      String subscription, String route, ReplayRange range, Pace pace, boolean processAgain)
      implements Verb {

    /**
     * Checks what is given.
     *
     * @throws ConfigurationException {@code OUT-006} if a name is not valid, {@code OUT-021} if
     *     something is null
     */
    public Replay {
      Name.check("subscription", subscription);
      VerbChecks.route(route);
      Require.nonNull("range", range);
      Require.nonNull("pace", pace);
    }

    /** Creates one whose handler skips what it has processed. */
    public Replay(String subscription, String route, ReplayRange range, Pace pace) {
      this(subscription, route, range, pace, false);
    }

    @Override
    public Reader reader() {
      return Reader.subscription(subscription);
    }
  }

  /**
   * Edits a parked message and tries it again: appends another one to the ledger, and discards the
   * parked one, in one transaction. The new one has a new id and time, the same topic, key, type
   * and version, and the header {@link Revision#REVISES_HEADER}; the ledger's old row stays as it
   * is. All subscriptions read the new one, also those that have published the old one.
   *
   * <p>The new one comes after all that is in the ledger of its key; what is held behind the parked
   * one goes on before it. Refused where the message is not parked any more, is held, is at work or
   * due within ten seconds, or is the copy of a replay.
   *
   * @param subscription the subscription that has parked it
   * @param place where it is parked, as a list returns it
   * @param to what the new one says
   */
  record Revise(String subscription, ParkedPlace place, Revision to) implements Verb {

    /**
     * Checks what is given.
     *
     * @throws ConfigurationException {@code OUT-006} if the name is not valid, {@code OUT-021} if
     *     something is null
     */
    public Revise {
      Name.check("subscription", subscription);
      Require.nonNull("place", place);
      Require.nonNull("to", to);
    }

    @Override
    public Reader reader() {
      return Reader.subscription(subscription);
    }
  }

  /**
   * Makes a consumer forget messages, so that it processes them when they are delivered again.
   *
   * @param consumer the consumer; that of a handler is {@code subscription/handler}
   * @param messages by which ids it remembers them, 1 to {@value #MESSAGES_MAX}
   */
  record Forget(String consumer, Set<InboxId> messages) implements Verb {

    /** The most messages of one request. */
    public static final int MESSAGES_MAX = 100;

    /**
     * Checks what is given.
     *
     * @throws ConfigurationException {@code OUT-006} if the name is not valid, {@code OUT-021} if
     *     there are no messages, or too many
     */
    public Forget {
      Name.check("consumer", consumer);
      messages = VerbChecks.messages(messages);
    }

    @Override
    public Reader reader() {
      return Reader.consumer(consumer);
    }
  }

  /**
   * Erases payload and headers of messages, a person's right: in the ledger, and in what
   * subscriptions and consumers of this schema have parked. The ledger's rows stay, with id, topic,
   * key, type and time. A relay settles an erased message without publishing it, in its turn; what
   * is parked of it is discarded. Texts of errors that may quote it are cleared with it.
   *
   * <p>It ends when each subscription has passed the last erased message: until then a relay may
   * publish a copy in its memory. What was published is at the broker, and is not erased.
   *
   * @param id the id of the message; null for all of a key
   * @param key the key whose messages are meant, of all topics, as far as they were committed when
   *     the request comes to them; null for one message
   */
  record Erase(@Nullable UUID id, @Nullable String key) implements Verb {

    /**
     * Checks what is given.
     *
     * @throws ConfigurationException {@code OUT-021} unless one of them is given, or if the key is
     *     empty or contains what no database stores
     */
    public Erase {
      VerbChecks.erasure(id, key);
    }

    /** Erases the message with an id. */
    public static Erase message(UUID id) {
      return new Erase(Require.nonNull("id", id), null);
    }

    /** Erases all messages of a key. */
    public static Erase key(String key) {
      return new Erase(null, Require.nonNull("key", key));
    }

    @Override
    public Reader reader() {
      return Reader.LEDGER;
    }
  }
}
