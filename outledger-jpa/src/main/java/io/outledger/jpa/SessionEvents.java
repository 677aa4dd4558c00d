// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import io.outledger.Message;
import io.outledger.Printable;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.FlushMode;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SessionImplementor;
import org.hibernate.resource.transaction.spi.TransactionObserver;
import org.hibernate.resource.transaction.spi.TransactionStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events that the entities of one session have raised. Hibernate's listeners tell of entities
 * that come and go and of flushes; the session's transactions tell of their end. For one thread, as
 * a session is.
 */
final class SessionEvents implements Synchronization {

  /** How often listeners may raise further events before that is taken for an endless circle. */
  static final int ROUNDS_MAX = 10;

  private static final Logger LOG = LoggerFactory.getLogger(SessionEvents.class);

  private final SessionImplementor session;
  private final TrackedEntities entities;
  private final DomainEventListeners listeners;
  private final EventSink sink;

  // Captured, and not handed over; manual messages are among them.
  private final List<RaisedEvent> captured = new ArrayList<>();
  private final List<RaisedEvent> taken = new ArrayList<>();
  private Identities<RaisedEvent> unsavedAtRefresh = new Identities<>();
  private boolean joined;

  // Between this object's own work before the commit and the transaction's end.
  private boolean late;
  private boolean handingOver;

  SessionEvents(
      SessionImplementor session,
      EventSources sources,
      DomainEventListeners listeners,
      EventSink sink) {
    this.session = session;
    this.entities = new TrackedEntities(sources, this::isManaged);
    this.listeners = listeners;
    this.sink = sink;
    session.getTransactionCoordinator().addObserver(new LastCall());
  }

  /** Returns whether the session manages an entity. */
  boolean isManaged(Object entity) {
    return entry(entity) != null;
  }

  /** An entity is managed from here on. */
  void managed(Object entity) {
    if (entities.managed(entity)) {
      join();
    }
  }

  /** Persist was called: as {@link #given}, but a database that draws ids has written it now. */
  void persisted(Object entity) {
    boolean isNew = entities.isNew(entity);
    given(entity);
    captureIfWritten(isNew, entity);
  }

  /** Persist, merge or remove was called for a managed entity: what it has raised belongs to it. */
  void given(Object entity) {
    if (entities.given(entity)) {
      join();
    }
  }

  /** An entity was merged into a managed copy: what it has raised belongs to the copy's changes. */
  void merged(Object entity, Object copy) {
    boolean isNew = entities.isNew(copy);
    if (entities.merged(entity, copy)) {
      join();
    }
    captureIfWritten(isNew, copy);
  }

  // Its insert was executed by the call itself. In flush mode MANUAL, no flush would come.
  private void captureIfWritten(boolean isNew, Object entity) {
    EntityEntry entry = entry(entity);
    if (isNew
        && entry != null
        && entry.isExistsInDatabase()
        && entry.getPersister().isIdentifierAssignedByInsert()) {
      take(entities.capture(entity));
    }
  }

  private @Nullable EntityEntry entry(Object entity) {
    return session.getPersistenceContextInternal().getEntry(entity);
  }

  /** A flush has written all changes. */
  void flushed() {
    if (entities.isEmpty()) {
      return;
    }
    join();
    take(entities.capture());
    completeIfLate();
  }

  private void take(List<RaisedEvent> events) {
    List<RaisedEvent> elsewhere = new ArrayList<>();
    for (RaisedEvent each : events) {
      (each.take(this) ? taken : elsewhere).add(each);
    }
    if (!elsewhere.isEmpty()) {
      throw CaptureFailures.twice(elsewhere);
    }
    captured.addAll(events);
  }

  /** A refresh begins. Which entities it reaches is known when they have been read again. */
  void refreshing() {
    unsavedAtRefresh = Identities.of(entities.noteUncaptured());
  }

  /** An entity's unflushed changes are about to be undone. */
  void refreshing(Object entity) {
    refuseRefresh(entities.noteUncaptured(entity));
  }

  /** An entity was read: for the first time, or again, which has undone its unflushed changes. */
  void loaded(Object entity) {
    if (!unsavedAtRefresh.isEmpty() && !entities.isNew(entity)) {
      refuseRefresh(
          entities.noteUncaptured(entity).stream().filter(unsavedAtRefresh::contains).toList());
    }
    managed(entity);
  }

  private void refuseRefresh(List<RaisedEvent> lost) {
    if (!lost.isEmpty() && (isActive() || !session.isTransactionInProgress())) {
      throw CaptureFailures.lost("an entity was refreshed before a flush", lost);
    }
  }

  /** An entity is about to leave the session by itself. */
  void leaving(Object entity) {
    if (!entities.shows(entity)) {
      return;
    }
    List<RaisedEvent> lost = entities.noteUncaptured(entity);
    if (!lost.isEmpty() && isActive()) {
      throw CaptureFailures.lost("an entity was detached before a flush", lost);
    }
    entities.left(entity);
  }

  /** All entities have left the session, and their unflushed changes are gone. */
  void cleared() {
    List<RaisedEvent> lost = entities.noteUncaptured();
    entities.cleared();
    if (!lost.isEmpty() && isActive()) {
      throw CaptureFailures.lost("the entity manager was cleared before a flush", lost);
    }
  }

  int tracked() {
    return entities.size();
  }

  /** Gives everything that entities have raised up to now its place in the order. */
  void notePlaces() {
    entities.notePlaces();
  }

  /** Adds messages that no entity has raised. */
  void add(List<Message> messages) {
    join();
    notePlaces();
    for (Message message : messages) {
      captured.add(RaisedEvent.now(message));
    }
    completeIfLate();
  }

  /** Writes all changes, and returns how many events are captured by now. */
  int mark() {
    flush();
    join();
    return captured();
  }

  /** Returns how many events are captured by now. */
  int captured() {
    take(entities.captureRemoved());
    return captured.size();
  }

  /** Drops what was captured after a mark, because its changes were rolled back. */
  void rollBackTo(int mark) {
    if (mark < 0 || mark >= captured()) {
      return;
    }
    List<RaisedEvent> dropped = captured.subList(mark, captured.size());
    entities.drop(dropped);
    dropped.clear();
  }

  /** Flushes and hands over what was captured, until nothing new comes. */
  void settle() {
    markedIfItFails(
        () -> {
          flush();
          handOver(false);
        });
  }

  /** The same where everything was flushed just before. */
  void settleFlushed() {
    markedIfItFails(() -> handOver(false));
  }

  private void markedIfItFails(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      // The hand-over may be incomplete, so a caller that catches this must not commit it.
      if (session.isTransactionInProgress()) {
        session.markForRollbackOnly();
      }
      throw e;
    }
  }

  @Override
  public void beforeCompletion() {
    try {
      complete(); // Hibernate has just flushed
    } catch (RuntimeException e) {
      if (session.getTransactionCoordinator().getTransactionCoordinatorBuilder().isJta()) {
        LOG.error(
            "domain events cannot be appended, so the transaction is rolled back. Its manager may"
                + " not name this cause.",
            Printable.trace(e));
      }
      throw e;
    }
    late = true;
  }

  // Another synchronisation has flushed or appended after this one, and nobody else will come.
  private void completeIfLate() {
    if (late && !handingOver && !captured.isEmpty()) {
      complete();
    }
  }

  private void complete() {
    handingOver = true;
    try {
      handOver(true);
      sink.beforeCommit();
    } finally {
      handingOver = false;
    }
  }

  @Override
  public void afterCompletion(int status) {
    boolean committed = status == Status.STATUS_COMMITTED;
    joined = false;
    late = false;
    captured.clear();
    taken.forEach(RaisedEvent::release);
    taken.clear();
    unsavedAtRefresh.clear();
    try {
      if (committed) {
        entities.committed();
      } else {
        entities.rolledBack();
      }
    } finally {
      sink.afterCompletion(committed);
    }
  }

  private void handOver(boolean committing) {
    take(entities.captureRemoved());
    for (int round = 0; !captured.isEmpty(); round++) {
      if (round == ROUNDS_MAX) {
        throw CaptureFailures.endless(ROUNDS_MAX);
      }
      List<RaisedEvent> events = captured.stream().sorted(RaisedEvent.IN_ORDER).toList();
      captured.clear();
      boolean heard = false;
      for (RaisedEvent each : events) {
        heard |= listeners.tell(each.event(), session);
      }
      sink.take(events);
      if (heard) {
        flush();
      }
      if (heard && committing) {
        // Hibernate has done this already, for optimistic locks among others, and would leave out
        // what listeners have added.
        session.getActionQueue().beforeTransactionCompletion();
      }
    }
    List<RaisedEvent> unseen = entities.raisedUnseen();
    if (!unseen.isEmpty()) {
      throw CaptureFailures.lost(
          "raised on a detached entity after it was merged, not on what merge returned", unseen);
    }
  }

  // In mode MANUAL nothing is written unless the application says so, and so nothing is captured:
  // neither the change nor its event takes effect.
  private void flush() {
    if (session.getHibernateFlushMode() != FlushMode.MANUAL) {
      session.flush();
    }
  }

  private void join() {
    if (!joined && session.isTransactionInProgress()) {
      session.getTransactionCoordinator().getLocalSynchronizations().registerSynchronization(this);
      joined = true;
    }
  }

  private boolean isActive() {
    return session.isTransactionInProgress()
        && session.accessTransaction().getStatus() == TransactionStatus.ACTIVE;
  }

  /**
   * Asks again after all synchronisations. One of them may have brought the session's first events:
   * Hibernate does not call what is registered while it calls the last one.
   */
  private final class LastCall implements TransactionObserver {

    @Override
    public void afterBegin() {
      // nothing has been raised yet
    }

    @Override
    public void beforeCompletion() {
      if (!captured.isEmpty()) {
        complete();
      }
    }

    @Override
    public void afterCompletion(boolean successful, boolean delayed) {
      // the synchronisation has been told
    }
  }
}
