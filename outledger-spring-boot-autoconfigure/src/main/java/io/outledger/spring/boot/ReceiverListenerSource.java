// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.receive.ReceiverListener;

/** Makes a listener for each receiver of methods with {@link InboxListener}. */
@FunctionalInterface
interface ReceiverListenerSource {

  /** Returns a listener for the receiver of a consumer. */
  ReceiverListener listener(String consumer);
}
