// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Outbox;
import io.outledger.Require;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import jakarta.persistence.metamodel.EntityType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.hibernate.SessionEventListener;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SessionImplementor;
import org.hibernate.event.service.spi.EventListenerRegistrationException;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorBuilder;

/**
 * Captures the domain events of entities and hands them to an {@link Outbox} that knows the running
 * transaction by itself, such as that of a framework. An application without one uses {@link
 * JpaOutbox}, which contains a capture.
 *
 * <p>Events are captured when Hibernate has flushed the changes of the entity that raised them:
 * those of new, changed and removed entities, of entities whose own columns did not change, and of
 * detached ones that were merged. They are handed over, in the order raised, by {@link #settle} or,
 * at the latest, when Hibernate is about to commit. Entities forget their events when the
 * transaction has committed; a roll-back leaves them where they are.
 *
 * <p>Bulk statements of JPQL, native SQL and stateless sessions touch no entity, and so capture
 * nothing. In the flush mode {@code MANUAL}, only what the application flushes is captured.
 *
 * <p>Thread-safe; each entity manager is used by one thread at a time.
 */
public final class DomainEventCapture {

  private final EventSources sources;
  private final DomainEventListeners listeners;
  private final EventSink.Factory sinks;
  private final Map<SessionImplementor, SessionEvents> sessions = new ConcurrentHashMap<>();

  private DomainEventCapture(
      EventSources sources, DomainEventListeners listeners, EventSink.Factory sinks) {
    this.sources = sources;
    this.listeners = listeners;
    this.sinks = sinks;
  }

  /**
   * Installs a capture without listeners; see {@link #install(EntityManagerFactory, Outbox,
   * Consumer)}.
   */
  public static DomainEventCapture install(EntityManagerFactory factory, Outbox outbox) {
    return install(factory, outbox, none -> {});
  }

  /**
   * Installs a capture, for as long as the factory is open.
   *
   * @param factory of Hibernate ORM, 6.6 or later
   * @param outbox takes the events, on the thread and inside the transaction of the session
   * @param listeners names what is done with events inside the transaction
   * @throws ConfigurationException {@code OUT-021} where it is not Hibernate's, has a capture
   *     already, or has entities whose events cannot be captured: all are listed
   */
  public static DomainEventCapture install(
      EntityManagerFactory factory, Outbox outbox, Consumer<DomainEventListeners> listeners) {
    EventSink sink = new OutboxSink(Require.nonNull("outbox", outbox));
    return installed(factory, listeners, session -> sink);
  }

  /**
   * Installs a capture without listeners, for an outbox that puts events into their order and their
   * transaction by itself.
   *
   * @param factory of Hibernate ORM, 6.6 or later
   * @param outbox takes the events, on the thread and inside the transaction of the session
   * @throws ConfigurationException {@code OUT-021} as {@link #install(EntityManagerFactory, Outbox,
   *     Consumer)} does, and where the persistence unit has JTA transactions: their connections are
   *     no outbox's
   */
  public static DomainEventCapture install(EntityManagerFactory factory, OrderedOutbox outbox) {
    return install(factory, outbox, none -> {});
  }

  /**
   * Installs a capture for an outbox that puts events into their order and their transaction by
   * itself.
   *
   * @param factory of Hibernate ORM, 6.6 or later
   * @param outbox takes the events, on the thread and inside the transaction of the session
   * @param listeners names what is done with events inside the transaction
   * @throws ConfigurationException {@code OUT-021} as {@link #install(EntityManagerFactory,
   *     OrderedOutbox)} does
   */
  public static DomainEventCapture install(
      EntityManagerFactory factory,
      OrderedOutbox outbox,
      Consumer<DomainEventListeners> listeners) {
    Require.nonNull("outbox", outbox);
    refuseJta(hibernate(Require.nonNull("factory", factory)));
    return installed(factory, listeners, session -> new OrderedSink(session, outbox));
  }

  static DomainEventCapture installed(
      EntityManagerFactory factory,
      Consumer<DomainEventListeners> listeners,
      EventSink.Factory sinks) {
    DomainEventListeners named = new DomainEventListeners();
    Require.nonNull("listeners", listeners).accept(named);
    SessionFactoryImplementor hibernate = hibernate(Require.nonNull("factory", factory));
    List<Class<?>> entities =
        factory.getMetamodel().getEntities().stream()
            .<Class<?>>map(EntityType::getJavaType)
            .toList();
    DomainEventCapture capture =
        new DomainEventCapture(EventSources.of(entities), named.copy(), sinks);
    EventListenerRegistry registry = hibernate.getEventEngine().getListenerRegistry();
    try {
      new CaptureListener(capture).register(registry);
    } catch (EventListenerRegistrationException e) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "this entity manager factory has a capture of domain events already; install one, or"
              + " every event is appended twice",
          e);
    }
    return capture;
  }

  /**
   * Flushes, captures, tells the listeners and hands the events over, until nothing new comes. Call
   * it as the last thing of a transaction, where the outbox has to know everything. In the flush
   * mode {@code MANUAL}, which read-only transactions of frameworks have, it does not flush.
   *
   * @param entityManager that of the running transaction; a framework's proxy will do
   * @throws io.outledger.OutledgerException {@code OUT-031} where events would be lost, {@code
   *     OUT-032} where listeners raise events without end, and whatever the outbox and the
   *     listeners throw: roll the transaction back
   */
  public void settle(EntityManager entityManager) {
    of(session(entityManager)).settle();
  }

  /**
   * Does what {@link #settle} does, where the caller has flushed just before: it does not flush
   * unless a listener was told something.
   *
   * @param entityManager that of the running transaction; a framework's proxy will do
   * @throws io.outledger.OutledgerException as {@link #settle} does
   */
  public void settleFlushed(EntityManager entityManager) {
    of(session(entityManager)).settleFlushed();
  }

  /**
   * Flushes and captures, and marks what is captured by now. Call it where a savepoint is set.
   *
   * @param entityManager that of the running transaction
   * @return the mark for {@link #rollBackTo}, good in this transaction until {@link #settle}
   */
  public int mark(EntityManager entityManager) {
    return of(session(entityManager)).mark();
  }

  /**
   * Marks what is captured by now, without a flush. For a savepoint that was set already: what is
   * flushed from here on is rolled back with it.
   *
   * @param entityManager that of the running transaction
   * @return the mark for {@link #rollBackTo}, good in this transaction until {@link #settle}
   */
  public int markFlushed(EntityManager entityManager) {
    return of(session(entityManager)).captured();
  }

  /**
   * Drops what was captured after a mark. Call it where the transaction was rolled back to a
   * savepoint. The entities keep these events; in this transaction they are captured again only
   * where an entity was detached and is merged.
   *
   * @param entityManager that of the running transaction
   * @param mark what {@link #mark} returned
   */
  public void rollBackTo(EntityManager entityManager, int mark) {
    of(session(entityManager)).rollBackTo(mark);
  }

  /**
   * Gives what entities have raised up to now its place before everything that is raised or
   * appended from here on. Call it where the application appends by hand to the same transaction:
   * entities with Spring Data's annotations do not say when they have raised an event. Whether an
   * event is captured is not decided by this.
   *
   * @param entityManager that of the running transaction; a framework's proxy will do
   */
  public void notePlaces(EntityManager entityManager) {
    known(session(entityManager)).ifPresent(SessionEvents::notePlaces);
  }

  boolean shows(Object entity) {
    return sources.of(entity.getClass()) != null;
  }

  Optional<SessionEvents> known(SessionImplementor session) {
    return Optional.ofNullable(sessions.get(session));
  }

  SessionEvents of(SessionImplementor session) {
    SessionEvents events = sessions.get(session);
    if (events == null) {
      events = new SessionEvents(session, sources, listeners, sinks.of(session));
      sessions.put(session, events);
      session.addEventListeners(new Ending(session));
    }
    return events;
  }

  /** Returns how many open sessions have shown an entity with events; for tests. */
  int sessions() {
    return sessions.size();
  }

  /** Returns how many entities of a session are remembered; for tests. */
  int tracked(EntityManager entityManager) {
    return of(session(entityManager)).tracked();
  }

  static SessionImplementor session(EntityManager entityManager) {
    try {
      return Require.nonNull("entityManager", entityManager).unwrap(SessionImplementor.class);
    } catch (PersistenceException e) {
      throw notHibernate(e);
    }
  }

  private static SessionFactoryImplementor hibernate(EntityManagerFactory factory) {
    try {
      return factory.unwrap(SessionFactoryImplementor.class);
    } catch (PersistenceException e) {
      throw notHibernate(e);
    }
  }

  private static void refuseJta(SessionFactoryImplementor factory) {
    TransactionCoordinatorBuilder transactions =
        factory.getServiceRegistry().getService(TransactionCoordinatorBuilder.class);
    if (transactions != null && transactions.isJta()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "the persistence unit has JTA transactions, and the outbox replaces these: make it"
              + " resource-local, with the data source that the outbox has (in Spring:"
              + " LocalContainerEntityManagerFactoryBean.setDataSource and a"
              + " JpaTransactionManager). Where its entities raise no events, do without the"
              + " capture (in Spring Boot: outledger.jpa.enabled=false)");
    }
  }

  private static ConfigurationException notHibernate(PersistenceException cause) {
    return new ConfigurationException(
        ErrorCode.INVALID_CONFIGURATION,
        "domain events are captured from Hibernate ORM alone, and this is another provider; append"
            + " events through an Outbox instead",
        cause);
  }

  /** Forgets a session that is closed. */
  private final class Ending implements SessionEventListener {

    private final transient SessionImplementor session;

    private Ending(SessionImplementor session) {
      this.session = session;
    }

    @Override
    public void end() {
      sessions.remove(session);
    }
  }
}
