// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import java.util.List;

/** The processes of the services. */
interface Services extends AutoCloseable {

  /** Starts them, and returns when they work. */
  void start(DemoShop.Listener listener);

  /** Returns those that are killed. */
  List<Role> roles(ShopClient client);

  /** Asks them to end. */
  @Override
  void close();
}
