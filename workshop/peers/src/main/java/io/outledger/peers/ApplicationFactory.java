// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

/** One way to get messages from a database's transactions to a publisher, with its settings. */
interface ApplicationFactory {

  /**
   * Opens an application that uses it, and makes its tables where there are none.
   *
   * @param site where it works, and for whom
   * @return the application, to be closed by the caller
   */
  Application open(Site site) throws Exception;
}
