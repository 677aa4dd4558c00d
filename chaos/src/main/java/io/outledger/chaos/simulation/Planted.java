// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

/** What a test plants in a run, to see that the run's judges find it. */
enum Planted {
  NOTHING,

  /** Of what a replay has taken up, one is taken back behind everybody's back. */
  COPY_IS_LOST,

  /** A replay takes up one message more than it was asked for. */
  COPY_TOO_MANY,

  /** A deletion deletes nothing, so one that is made again goes on where the former one was. */
  DELETED_IN_VAIN,

  /** A new partition goes on where an old one was, and not where all have been read to. */
  NOT_CUT_AT_ONE_POSITION,

  /** A division forgets the positions at which nothing is visible yet. */
  DIVIDED_WITHOUT_HOLES,

  /** A division does not wait until nobody owns a partition. */
  DIVIDED_WITH_AN_OWNER,

  /** A client that is closed stays open. */
  CLIENT_LEFT_OPEN,

  /** The same of a process that shares partitions. */
  DIVIDED_CLIENT_LEFT_OPEN
}
