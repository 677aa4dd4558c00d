// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.kill;

/** What is done to a running shop. */
public enum Fault {
  /** The relay that owns the subscription is killed, and started again. */
  RELAY_KILLED,
  /** A writer is killed, and started again. */
  WRITER_KILLED,
  /** The consumer is killed, and started again. */
  CONSUMER_KILLED,
  /** The database server is killed, and started again. */
  DATABASE_KILLED,
  /** The broker is killed, and started again. */
  BROKER_KILLED,
  /** The owner is frozen for two to three leases, and goes on as if nothing had happened. */
  OWNER_FROZEN,
  /** The relays' connections to the database are cut. */
  CONNECTION_CUT,
  /** The database's replies to the relays are lost for a moment. */
  REPLIES_LOST,
  /** The owner is asked to stop, and hands over; it is started again. */
  OWNER_STOPPED
}
