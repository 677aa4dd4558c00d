// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.sql.SQLException;

/** Something that sends the ledger's messages to Kafka, in a process of its own. */
interface ConnectSide extends AutoCloseable {

  /** What machines call it; part of the names of subscriptions, connectors and slots. */
  String name();

  /** What people call it. */
  String text();

  /** The process that does the work. */
  long pid();

  /**
   * Begins to send.
   *
   * @param turn a name that was not used before
   * @param topic where all messages go
   * @param isBacklog whether the messages that wait in the ledger are sent, and not those from now
   *     on
   */
  void begin(String turn, String topic, boolean isBacklog) throws SQLException;

  /** Throws if what was begun has failed, with the reason. */
  void check();

  /** Ends what was begun. The process lives on. */
  void end() throws SQLException;

  @Override
  void close();
}
