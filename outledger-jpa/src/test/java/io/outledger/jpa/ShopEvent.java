// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

/** What happened in the shop. */
sealed interface ShopEvent {

  /** Of what it tells: the key of its message. */
  String key();

  record Happened(String key, String what) implements ShopEvent {}

  record Other(String key, String what) implements ShopEvent {}

  /** Leaves the transaction as two messages. */
  record Doubled(String key) implements ShopEvent {}

  /** Stays inside the transaction. */
  record Internal(String key) implements ShopEvent {}

  /** Is refused where it is to be appended. */
  record Refused(String key) implements ShopEvent {}

  /** Is not registered. */
  record Unregistered(String key) implements ShopEvent {}
}
