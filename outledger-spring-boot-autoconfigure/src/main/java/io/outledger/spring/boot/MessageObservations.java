// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.Message;
import io.outledger.inbox.Received;

/** Observes what is appended and handled, where the application observes anything. */
interface MessageObservations {

  /** Observes nothing. */
  MessageObservations NONE =
      new MessageObservations() {
        @Override
        public Message append(Message message) {
          return message;
        }

        @Override
        public void handle(String subscription, String handler, Message message, Work work)
            throws Exception {
          work.run();
        }

        @Override
        public void receive(String consumer, Received message, Work work) throws Exception {
          work.run();
        }
      };

  /** What a handler does with a message. */
  @FunctionalInterface
  interface Work {

    /** Does it. */
    void run() throws Exception;
  }

  /** Observes that a message is appended; returns it with what continues the trace elsewhere. */
  Message append(Message message);

  /** Observes a handler at its work, as a part of the trace that the message has brought. */
  void handle(String subscription, String handler, Message message, Work work) throws Exception;

  /** Observes a listener at its work, as a part of the trace that the message has brought. */
  void receive(String consumer, Received message, Work work) throws Exception;
}
