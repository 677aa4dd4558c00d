// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

/** What a receiver was told, which it does not tell itself. */
public final class SettingsOf {

  private SettingsOf() {}

  /** Returns it. */
  public static ReceiverSettings receiver(BrokerReceiver<?> receiver) {
    return receiver.settings;
  }
}
