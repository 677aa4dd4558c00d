// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import io.nats.client.Message;

/**
 * Where a message lies in JetStream.
 *
 * @param stream the stream's name
 * @param sequence the message's number in the stream
 */
record NatsPlace(String stream, long sequence) {

  static NatsPlace of(Message message) {
    return new NatsPlace(message.metaData().getStream(), message.metaData().streamSequence());
  }

  @Override
  public String toString() {
    return "message " + stream + "@" + sequence;
  }
}
