// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

import io.outledger.publish.Outcome;
import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A connection with one session whose sends are transactions. Used by one thread. */
final class JmsConnection {

  private static final int PRODUCERS_MAX = 100;

  private final Connection connection;
  private final Session session;
  private final boolean isToTopics;
  private final Map<String, MessageProducer> producers = new HashMap<>();
  private volatile boolean isBroken;

  private JmsConnection(Connection connection, Session session, boolean isToTopics) {
    this.connection = connection;
    this.session = session;
    this.isToTopics = isToTopics;
  }

  static JmsConnection open(JmsPublisher publisher) throws JMSException {
    Connection connection = publisher.broker().connect();
    boolean isOpen = false;
    try {
      Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
      JmsConnection opened = new JmsConnection(connection, session, publisher.isToTopics());
      connection.setExceptionListener(failure -> opened.isBroken = true);
      isOpen = true;
      return opened;
    } finally {
      if (!isOpen) { // also where the provider throws something of its own when it is interrupted
        close(connection);
      }
    }
  }

  Session session() {
    return session;
  }

  void send(String destination, Message message) throws JMSException {
    MessageProducer producer = producers.get(destination);
    if (producer == null) {
      if (producers.size() >= PRODUCERS_MAX) {
        forgetProducers();
      }
      producer = producer(destination);
      producers.put(destination, producer);
    }
    producer.send(message);
  }

  /** Whatever fails here is the destination's, if the connection is not broken. */
  private MessageProducer producer(String name) throws JMSException {
    try {
      return session.createProducer(
          isToTopics ? session.createTopic(name) : session.createQueue(name));
    } catch (JMSException e) {
      InvalidDestinationException none = new InvalidDestinationException(e.getMessage());
      none.setLinkedException(e);
      none.initCause(e);
      throw none;
    }
  }

  private void forgetProducers() throws JMSException {
    for (MessageProducer each : producers.values()) {
      each.close();
    }
    producers.clear();
  }

  /**
   * Commits what was sent.
   *
   * @return null, or why the broker has refused all of it
   * @throws JMSException if it may have been committed or not
   */
  @Nullable JMSException commit() throws JMSException {
    try {
      session.commit();
      return null;
    } catch (TransactionRolledBackException
        | InvalidDestinationException
        | JMSSecurityException
        | ResourceAllocationException e) {
      return e;
    }
  }

  /**
   * Takes back what was sent since the last commit.
   *
   * @param failure what made it necessary; thrown again where the connection is lost, so that it is
   *     no message's
   */
  void rollBack(JMSException failure) throws JMSException {
    session.rollback();
    forgetProducers();
    if (isBroken) {
      throw failure;
    }
  }

  /** Returns what a failure means for the one message of a transaction that was rolled back. */
  static Outcome outcome(String topic, JMSException failure) {
    String said = "the broker refused a message to '" + topic + "': " + failure.getMessage();
    boolean isTopics =
        failure instanceof InvalidDestinationException
            || failure instanceof JMSSecurityException
            || failure instanceof ResourceAllocationException;
    return isTopics ? Outcome.topicUnavailable(said) : Outcome.suspect(said);
  }

  /** Disconnects, which rolls back what was not committed. */
  void close() throws JMSException {
    close(connection);
  }

  /** Closes it also where this thread was interrupted, since the provider would then not do so. */
  private static void close(Connection connection) throws JMSException {
    boolean wasInterrupted = Thread.interrupted();
    try {
      connection.close();
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
