// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.StoreException;
import io.outledger.event.Events;
import io.outledger.jdbc.admin.AttemptMade;
import io.outledger.jdbc.admin.ConsumerState;
import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.admin.DeclarationState;
import io.outledger.jdbc.admin.FailureGroup;
import io.outledger.jdbc.admin.Holes;
import io.outledger.jdbc.admin.LedgerEntry;
import io.outledger.jdbc.admin.Listing;
import io.outledger.jdbc.admin.MessageInfo;
import io.outledger.jdbc.admin.MessageQuery;
import io.outledger.jdbc.admin.MessageSearch;
import io.outledger.jdbc.admin.MessageState;
import io.outledger.jdbc.admin.Overview;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.ParkedPoint;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.RequestPoint;
import io.outledger.jdbc.admin.RequestQuery;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Scheduled;
import io.outledger.jdbc.admin.ScheduledPoint;
import io.outledger.jdbc.admin.ScheduledQuery;
import io.outledger.jdbc.admin.StoredTypes;
import io.outledger.jdbc.admin.SubscriptionState;
import io.outledger.jdbc.admin.Why;
import io.outledger.jdbc.reading.AttemptReads;
import io.outledger.jdbc.reading.HoleReads;
import io.outledger.jdbc.reading.LedgerPages;
import io.outledger.jdbc.reading.OtherReads;
import io.outledger.jdbc.reading.ParkedPages;
import io.outledger.jdbc.reading.RequestReads;
import io.outledger.jdbc.reading.ScheduledReads;
import io.outledger.jdbc.reading.StandingReads;
import io.outledger.jdbc.reading.SubscriptionReads;
import io.outledger.jdbc.reading.TypeReads;
import io.outledger.jdbc.reading.WhyReads;
import io.outledger.jdbc.spi.AdminReads;
import io.outledger.saga.Saga;
import io.outledger.saga.SagaReader;
import io.outledger.store.FailedAttempt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Everything that an operator reads, behind one door. Nothing here changes anything, waits for a
 * lock or takes a time without a bound: each call looks at a bounded number of rows and bytes,
 * counts up to {@link Count#MAX}, and says where to go on. Once the {@link Outledger} it comes from
 * is closed, everything fails with a {@link StoreException} {@code OUT-026}. Thread-safe.
 *
 * <pre>{@code
 * System.out.println(outledger.admin().why(id).sentence());
 * }</pre>
 */
public final class Admin {

  private static final String USE = "read the state of the ledger";

  private final OpenState openState;
  private final SubscriptionReads subscriptions;
  private final StandingReads standings;
  private final LedgerPages pages;
  private final ParkedPages parked;
  private final AttemptReads attempts;
  private final OtherReads others;
  private final HoleReads holes;
  private final RequestReads requests;
  private final WhyReads whys;
  private final TypeReads types;
  private final Readers readers;
  private final SagaAdmin sagas;
  private final ScheduledReads scheduled;

  Admin(AdminReads reads, OpenState openState) {
    this.openState = openState;
    this.subscriptions = new SubscriptionReads(reads);
    this.standings = new StandingReads(reads);
    this.pages = new LedgerPages(reads);
    this.parked = new ParkedPages(reads);
    this.attempts = new AttemptReads(reads);
    this.others = new OtherReads(reads);
    this.holes = new HoleReads(reads);
    this.requests = new RequestReads(reads);
    this.whys = new WhyReads(reads);
    this.types = new TypeReads(reads);
    this.readers = new Readers(subscriptions, others, openState);
    this.sagas = new SagaAdmin(reads, openState);
    this.scheduled = new ScheduledReads(reads);
  }

  /**
   * Creates it for the tables in a schema.
   *
   * @param dataSource is asked what database it is; a standby will do
   * @param schema the schema's name, such as {@code "public"}
   * @throws ConfigurationException {@code OUT-006} if it is not a valid name, {@code OUT-020} if no
   *     module on the class path supports the database
   * @throws StoreException {@code OUT-016} if the database cannot be reached
   */
  public static Admin of(DataSource dataSource, String schema) {
    Require.nonNull("schema", schema);
    return new Admin(Databases.find(dataSource, schema).adminReads(dataSource), new OpenState());
  }

  /**
   * Returns the state of the ledger, of its subscriptions, and of the instances that run them.
   *
   * @throws StoreException if the database failed
   */
  public Overview overview() {
    openState.require(USE);
    return subscriptions.overview();
  }

  /**
   * Returns the subscriptions, by name: where each stands, how late it is, who runs it, and all
   * that keeps its messages back; the first {@value Overview#ROWS_MAX}. {@link #readers()} goes on.
   *
   * @throws StoreException if the database failed
   */
  public List<SubscriptionState> subscriptions() {
    openState.require(USE);
    return subscriptions.subscriptions(null);
  }

  /**
   * Returns the message at a position, and what has become of it; empty where none is visible: then
   * {@link #why(long)} says why.
   *
   * @throws StoreException if the database failed
   */
  public Optional<MessageState> message(long position) {
    return message(position, 0);
  }

  /**
   * The same, with its payload.
   *
   * @param payloadBytes at most this many bytes of it, up to {@link MessageInfo#PAYLOAD_BYTES_MAX}
   * @throws ConfigurationException {@code OUT-021} if that is out of range
   * @throws StoreException if the database failed
   */
  public Optional<MessageState> message(long position, int payloadBytes) {
    requirePayload("payloadBytes", payloadBytes);
    openState.require(USE);
    return standings.at(position, payloadBytes);
  }

  /**
   * Looks for a message by its id, among the messages of the time at which the id was made. An id
   * that is no UUID of version 7 tells no time, and is looked for among the last messages alone:
   * list {@link #messages} with {@link MessageQuery#withId} to search all, page by page.
   *
   * @throws StoreException if the database failed
   */
  public MessageSearch message(UUID id) {
    return message(id, 0);
  }

  /**
   * The same, with its payload.
   *
   * @param payloadBytes at most this many bytes of it, up to {@link MessageInfo#PAYLOAD_BYTES_MAX}
   * @throws ConfigurationException {@code OUT-021} if that is out of range
   * @throws StoreException if the database failed
   */
  public MessageSearch message(UUID id, int payloadBytes) {
    Require.nonNull("id", id);
    requirePayload("payloadBytes", payloadBytes);
    openState.require(USE);
    return standings.find(id, payloadBytes);
  }

  /**
   * Returns the messages of the ledger that fit. A call looks at {@link LedgerPages#SCANNED}
   * positions at most, so it may return none though there are some: go on at {@link Listing#next}.
   * A time span is found by bisecting, so a message whose time is far from that of its neighbours
   * may be missed.
   *
   * @throws StoreException if the database failed
   */
  public Listing<LedgerEntry, Long> messages(MessageQuery query) {
    Require.nonNull("query", query);
    openState.require(USE);
    return pages.list(query);
  }

  /**
   * Returns what a subscription or a consumer has parked, in the order of its place.
   *
   * @throws ConfigurationException {@code OUT-025} if there is no such subscription, or no such
   *     consumer
   * @throws StoreException if the database failed
   */
  public Listing<Parked, ParkedPoint> parked(ParkedQuery query) {
    Require.nonNull("query", query);
    openState.require(USE);
    return parked.list(query);
  }

  /**
   * Returns how many parked messages fit, of the next {@link Count#MAX}, or fewer with partitions.
   * For what a request is told was {@linkplain io.outledger.jdbc.admin.Which.Selected#shown shown},
   * select a state: none takes what is held. It fails as {@link #parked(ParkedQuery)} does.
   */
  public Count count(ParkedQuery query) {
    Require.nonNull("query", query);
    openState.require(USE);
    return parked.count(query);
  }

  /**
   * Returns the failed attempts at a message that a subscription or a consumer has parked, in
   * order: the first {@value FailedAttempt#FIRST_KEPT} and the last {@value
   * FailedAttempt#LAST_KEPT}. They are kept for as long as it is parked; none where it is not.
   *
   * @param place {@link Parked#place()} of the message
   * @throws ConfigurationException {@code OUT-025} if there is no such subscription, or no such
   *     consumer
   * @throws StoreException if the database failed
   */
  public List<AttemptMade> attempts(Reader owner, ParkedPoint place) {
    Require.nonNull("owner", owner);
    Require.nonNull("place", place);
    openState.require(USE);
    return attempts.attempts(owner, place);
  }

  /**
   * Returns what has failed alike of what is parked, the most frequent first, and the place to go
   * on: a call looks at {@link Count#MAX} parked messages.
   *
   * @throws ConfigurationException {@code OUT-025} if there is no such subscription, or no such
   *     consumer
   * @throws StoreException if the database failed
   */
  public Listing<FailureGroup, ParkedPoint> failures(ParkedQuery query) {
    Require.nonNull("query", query);
    openState.require(USE);
    return parked.failures(query);
  }

  /**
   * Returns the consumers that have processed or parked a message, by name; a thousand at most.
   *
   * @throws StoreException if the database failed
   */
  public List<ConsumerState> consumers() {
    openState.require(USE);
    return others.consumers();
  }

  /**
   * Returns the positions that subscriptions have read past and not settled, and the transactions
   * that may keep them so. Those of other users are named to a role with {@code pg_read_all_stats}.
   *
   * @throws StoreException if the database failed
   */
  public Holes holes() {
    openState.require(USE);
    return holes.holes();
  }

  /**
   * Returns what operators have asked for, the newest first: who, why, when, and what came of it. A
   * call looks at {@link Count#MAX} requests, so it may return none though there are some: go on at
   * {@link Listing#next}.
   *
   * @throws StoreException if the database failed
   */
  public Listing<RequestStatus, RequestPoint> requests(RequestQuery query) {
    Require.nonNull("query", query);
    openState.require(USE);
    return requests.list(query);
  }

  /**
   * Returns the types and versions of all messages that are still in the ledger, scheduled, or
   * parked on either side, and of sagas, and whether this build reads each. {@code
   * storedTypes(events, sagas).requireRead()} is a gate for deployments. Reads the ledger once from
   * its beginning to its end, and each saga as a step would: seconds for millions of messages, so
   * ask a replica where that matters.
   *
   * @param events those of this build, such as {@code outledger.events()}
   * @param sagas those of this build
   * @throws io.outledger.ConfigurationException as {@link SagaReader#of} does
   * @throws StoreException if the database failed
   */
  public StoredTypes storedTypes(Events events, Saga<?>... sagas) {
    List<SagaReader<?>> readers = new ArrayList<>();
    for (Saga<?> saga : Require.nonNull("sagas", sagas)) {
      readers.add(SagaReader.of(saga, events));
    }
    openState.require(USE);
    return types.stored(Require.nonNull("events", events), readers);
  }

  /**
   * Returns the messages that wait for their time, those that are due first in front. {@link
   * io.outledger.jdbc.admin.CancelScheduled} and {@link io.outledger.jdbc.admin.DeliverNow} act on
   * them; {@link #overview()} counts them.
   *
   * @throws StoreException if the database failed
   */
  public Listing<Scheduled, ScheduledPoint> scheduled(ScheduledQuery query) {
    Require.nonNull("query", query);
    openState.require(USE);
    return scheduled.list(query);
  }

  /**
   * Returns what instances have declared to handle, of all subscriptions and consumers.
   *
   * @throws StoreException if the database failed
   */
  public List<DeclarationState> declarations() {
    openState.require(USE);
    return others.declarations(null);
  }

  /**
   * Returns what instances have declared of one subscription or consumer.
   *
   * @throws StoreException if the database failed
   */
  public List<DeclarationState> declarations(Reader owner) {
    Require.nonNull("owner", owner);
    openState.require(USE);
    return others.declarations(owner);
  }

  /**
   * Returns why a message is not published, or by when it was: in a sentence, and by values. It is
   * looked for as by {@link #message(UUID)}, and in what the consumers of this schema have received
   * and parked.
   *
   * @throws StoreException if the database failed
   */
  public Why why(UUID id) {
    Require.nonNull("id", id);
    openState.require(USE);
    return whys.of(id);
  }

  /**
   * Returns why the message at a position is not published, by when it was, or why none is there.
   *
   * @throws StoreException if the database failed
   */
  public Why why(long position) {
    openState.require(USE);
    return whys.of(position);
  }

  /**
   * Returns what the messages of a key wait for in a subscription.
   *
   * @throws ConfigurationException {@code OUT-025} if there is no such subscription
   * @throws StoreException if the database failed
   */
  public Why why(String subscription, String key) {
    Require.nonNull("subscription", subscription);
    Require.nonNull("key", key);
    openState.require(USE);
    return whys.of(subscription, key);
  }

  /** Returns what lists subscriptions and consumers page by page. */
  public Readers readers() {
    return readers;
  }

  /** Returns what is to be read of sagas. */
  public SagaAdmin sagas() {
    return sagas;
  }

  static void requirePayload(String name, int bytes) {
    if (bytes < 0 || bytes > MessageInfo.PAYLOAD_BYTES_MAX) {
      throw invalid(
          name + " is " + bytes + " but must be between 0 and " + MessageInfo.PAYLOAD_BYTES_MAX);
    }
  }

  private static ConfigurationException invalid(String text) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, text);
  }
}
