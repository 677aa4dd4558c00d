// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.publish.Publisher;

/** Makes a broker's publishers of properties. Nothing is opened. */
interface Broker {

  /**
   * Makes a publisher.
   *
   * @param properties those of the publisher, with this broker's among them
   * @param path the name of this broker's properties
   */
  Publisher publisher(PublisherProperties properties, String path);
}
