// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.relay.listener.RelayListener;

/** Makes a listener for each relay of this process, which knows its subscription. */
@FunctionalInterface
interface RelayListenerSource {

  /** Returns a listener for the relay of a subscription. */
  RelayListener listener(String subscription);
}
