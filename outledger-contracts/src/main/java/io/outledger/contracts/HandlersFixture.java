// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.Message;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.listener.RelayListener;
import io.outledger.relay.options.RelayOptions;
import java.util.List;

/** A ledger whose messages are handled beside it, each with its inbox row and its effects. */
interface HandlersFixture {

  String SUBSCRIPTION = "contract";

  /** What a handler's transaction does. */
  interface Effects {

    /** Adds an effect, which is there once the transaction has committed. */
    void add(String what) throws Exception;
  }

  /** What a handler does with a message. */
  interface Work {
    void run(Message message, Effects effects) throws Exception;
  }

  /**
   * A handler.
   *
   * @param route its name
   * @param consumer the name of its inbox
   */
  record Handler(String route, String consumer, Work work) {}

  /** Appends a message in a transaction of its own. */
  void append(Message message);

  /** Returns how many transactions may have written at the same time: handlers at work are some. */
  default DatabaseFixture.Writers writers() {
    return DatabaseFixture.Writers.SEVERAL;
  }

  /**
   * Removes every message and starts the numbers again, whoever is at work; where one transaction
   * writes at a time, once nobody is.
   */
  void emptyLedger();

  /** Moves the subscription to the earliest message, as an operator does after OUT-007. */
  void moveAndProcessAgain();

  /** Asks for all dead letters to be tried again. */
  void retryDeadLetters();

  /** Starts a relay with handlers, which the caller closes. */
  RunningRelay start(List<Handler> handlers, RelayOptions.Builder options, RelayListener listener);

  /** Returns the effects that are committed, in their order. */
  List<String> effects();

  /** Ends what is open, and removes what was made. */
  void close() throws Exception;
}
