// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import org.hibernate.Hibernate;
import org.hibernate.event.service.spi.DuplicationStrategy;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.AutoFlushEvent;
import org.hibernate.event.spi.AutoFlushEventListener;
import org.hibernate.event.spi.ClearEvent;
import org.hibernate.event.spi.ClearEventListener;
import org.hibernate.event.spi.DeleteContext;
import org.hibernate.event.spi.DeleteEvent;
import org.hibernate.event.spi.DeleteEventListener;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.EvictEvent;
import org.hibernate.event.spi.EvictEventListener;
import org.hibernate.event.spi.FlushEntityEvent;
import org.hibernate.event.spi.FlushEntityEventListener;
import org.hibernate.event.spi.FlushEvent;
import org.hibernate.event.spi.FlushEventListener;
import org.hibernate.event.spi.MergeContext;
import org.hibernate.event.spi.MergeEvent;
import org.hibernate.event.spi.MergeEventListener;
import org.hibernate.event.spi.PersistContext;
import org.hibernate.event.spi.PersistEvent;
import org.hibernate.event.spi.PersistEventListener;
import org.hibernate.event.spi.PostLoadEvent;
import org.hibernate.event.spi.PostLoadEventListener;
import org.hibernate.event.spi.RefreshContext;
import org.hibernate.event.spi.RefreshEvent;
import org.hibernate.event.spi.RefreshEventListener;
import org.jspecify.annotations.Nullable;

/**
 * Tells sessions what Hibernate does with their entities. Entities are known from the moment at
 * which they become managed, because {@code clear} shows them to nobody; their events are read when
 * a flush has been executed, because an automatic flush may look at every entity and then write
 * nothing. Thread-safe.
 */
final class CaptureListener
    implements PostLoadEventListener,
        PersistEventListener,
        MergeEventListener,
        DeleteEventListener,
        RefreshEventListener,
        FlushEntityEventListener,
        FlushEventListener,
        AutoFlushEventListener,
        EvictEventListener,
        ClearEventListener {

  private final transient DomainEventCapture capture;

  CaptureListener(DomainEventCapture capture) {
    this.capture = capture;
  }

  /**
   * Appended, to see what callbacks such as PreUpdate have raised; but what undoes changes must be
   * seen before.
   */
  void register(EventListenerRegistry registry) {
    registry.addDuplicationStrategy(new OneOfAKind());
    registry.appendListeners(EventType.POST_LOAD, this);
    registry.appendListeners(EventType.PERSIST, this);
    registry.appendListeners(EventType.MERGE, this);
    registry.appendListeners(EventType.DELETE, this);
    registry.appendListeners(EventType.FLUSH_ENTITY, this);
    registry.appendListeners(EventType.FLUSH, this);
    registry.appendListeners(EventType.AUTO_FLUSH, this);
    registry.prependListeners(EventType.REFRESH, this);
    registry.prependListeners(EventType.EVICT, this);
    registry.prependListeners(EventType.CLEAR, this);
  }

  @Override
  public void onPostLoad(PostLoadEvent event) {
    if (event.getEntity() != null && capture.shows(event.getEntity())) {
      capture.of(event.getSession()).loaded(event.getEntity());
    }
  }

  @Override
  public void onPersist(PersistEvent event) {
    Object entity = known(event.getObject());
    if (entity != null) {
      capture.of(event.getSession()).persisted(entity);
    }
  }

  @Override
  public void onPersist(PersistEvent event, PersistContext context) {
    onPersist(event);
  }

  @Override
  public void onDelete(DeleteEvent event) {
    Object entity = known(event.getObject());
    if (entity != null) {
      capture.of(event.getSession()).given(entity);
    }
  }

  @Override
  public void onDelete(DeleteEvent event, DeleteContext context) {
    onDelete(event);
  }

  @Override
  public void onMerge(MergeEvent event) {
    Object copy = event.getResult();
    Object original = event.getOriginal();
    if (copy == null || !Hibernate.isInitialized(original)) {
      return;
    }
    Object entity = Hibernate.unproxy(original);
    Object managed = Hibernate.unproxy(copy);
    if (!capture.shows(entity)) {
      return;
    }
    SessionEvents events = capture.of(event.getSession());
    if (!isSame(entity, managed)) {
      events.merged(entity, managed);
    } else if (events.isManaged(managed)) {
      events.given(managed);
    }
    // Else a merge has come to a detached entity again that it has a copy of already, and Hibernate
    // gives the entity itself for the result.
  }

  @Override
  public void onMerge(MergeEvent event, MergeContext context) {
    onMerge(event);
  }

  @Override
  public void onFlushEntity(FlushEntityEvent event) {
    if (capture.shows(event.getEntity())) {
      capture.of(event.getSession()).managed(event.getEntity());
    }
  }

  @Override
  public void onFlush(FlushEvent event) {
    capture.known(event.getSession()).ifPresent(SessionEvents::flushed);
  }

  @Override
  public void onAutoFlush(AutoFlushEvent event) {
    if (event.isFlushRequired()) {
      onFlush(event);
    }
  }

  @Override
  public void onEvict(EvictEvent event) {
    Object entity = event.getObject();
    if (entity != null && Hibernate.isInitialized(entity)) {
      capture
          .known(event.getSession())
          .ifPresent(events -> events.leaving(Hibernate.unproxy(entity)));
    }
  }

  @Override
  public void onRefresh(RefreshEvent event) {
    // Also where the entity itself shows no events: it may reach others that do.
    capture.known(event.getSession()).ifPresent(SessionEvents::refreshing);
    refreshing(event);
  }

  @Override
  public void onRefresh(RefreshEvent event, RefreshContext context) {
    refreshing(event);
  }

  private void refreshing(RefreshEvent event) {
    Object entity = known(event.getObject());
    if (entity != null) {
      capture.known(event.getSession()).ifPresent(events -> events.refreshing(entity));
    }
  }

  @Override
  public void onClear(ClearEvent event) {
    capture.known(event.getSession()).ifPresent(SessionEvents::cleared);
  }

  // The entity, where it shows events; a proxy that was asked nothing has raised nothing.
  private @Nullable Object known(Object entityOrProxy) {
    if (!Hibernate.isInitialized(entityOrProxy)) {
      return null;
    }
    Object entity = Hibernate.unproxy(entityOrProxy);
    return capture.shows(entity) ? entity : null;
  }

  @SuppressWarnings("ReferenceEquality") // an entity's equals may say anything
  private static boolean isSame(Object one, Object other) {
    return one == other;
  }

  /** Has Hibernate refuse a second capture. */
  private static final class OneOfAKind implements DuplicationStrategy {

    @Override
    public boolean areMatch(Object listener, Object original) {
      return listener instanceof CaptureListener && original instanceof CaptureListener;
    }

    @Override
    public Action getAction() {
      return Action.ERROR;
    }
  }
}
