// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.publish.Publisher;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * One destination with nothing in it, seen from both ends. Opened for each test; used by one
 * thread.
 */
public interface PublisherFixture {

  /** Returns the publisher, always the same one. */
  Publisher publisher();

  /** Returns a topic that the destination has, always the same one. */
  String topic();

  /**
   * Waits until messages have arrived, and returns everything that has, duplicates among it, in the
   * order in which a consumer gets the messages of each key.
   *
   * @param ids of the messages to wait for
   * @throws AssertionError where they have not arrived within a time that is generous for the
   *     destination
   */
  List<Received> awaitArrivals(Collection<UUID> ids);

  /** Makes the destination unreachable, for open clients and for new ones. */
  void takeAway();

  /**
   * Lets everything that the destination answers get lost, for open clients and for new ones: it
   * can be connected to and takes what it is sent, but nobody hears of it.
   */
  void loseAnswers();

  /**
   * Breaks the connection of a client that sends a message with a text in its key and its payload,
   * each time, as a scanner or a firewall does; everything else passes. A destination in this
   * process behaves as if.
   *
   * @param text ASCII
   */
  void cutAt(String text);

  /** Makes the destination reachable again; returns when new clients can reach it. */
  void bringBack();

  /**
   * Ends the destination as hard as it can be ended, by SIGKILL where it is a process, and starts
   * it again on its data. Returns when it can be reached. What it has acknowledged must still be
   * there. A destination that lives in this process, or keeps nothing, breaks what connects it with
   * its clients instead, and its fixture says so.
   */
  void crash();

  /**
   * Runs something and returns what this process has logged meanwhile, by whatever library: each
   * entry beginning with its level, from INFO on, its stack trace behind it.
   */
  List<String> logOf(Runnable work);

  /**
   * Returns a message that the destination can be reached for and rejects, as one that is too large
   * for it.
   *
   * @param key its key
   */
  Message unacceptable(String key);

  /**
   * Says whether the destination takes two messages with one id for the same one, as an inbox does:
   * if one has arrived, the other is published, too.
   */
  default boolean knowsMessagesById() {
    return false;
  }

  /** Says what a client makes of an answer that does not come within the delivery time. */
  default LateAnswer lateAnswer() {
    return LateAnswer.OUTAGE;
  }

  /** What an answer that does not come in time means for its message. */
  enum LateAnswer {
    /** The destination is away, and the message's fate is unknown: so with every broker. */
    OUTAGE,
    /**
     * Nothing: the answer is the end of a call inside this process, as that of a handler. The relay
     * closes the client.
     */
    AWAITED
  }

  /** Ends what is open, and removes what was made. */
  void close() throws Exception;
}
